package read

import "testing"

func TestCursorCountsLinesLikeTheLibrary(t *testing.T) {
	c := newCursor([]byte("\ufeffä: 1\r\n  # b\n\u0085c\u2028d\n"))
	for _, at := range []struct{ line, column, offset int }{
		{1, 1, 3},
		{1, 2, 5},
		{2, 3, 12},
		{4, 1, 18},
		{5, 1, 22},
		{6, 1, 24},
		{2, 1, 10},
		{2, 2, 11},
		{2, 1, 10},
		{7, 1, -1},
		{6, 2, -1},
		{1, 1, 3},
	} {
		if got := c.move(at.line, at.column); got != at.offset {
			t.Errorf("%d:%d is at %d, want %d", at.line, at.column, got, at.offset)
		}
	}
	c = newCursor([]byte("a"))
	if c.move(1, 2) != 1 || c.move(2, 1) != -1 {
		t.Error("a text without a line end has one line")
	}
}
