package read

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pillion.dev/pillion/internal/text/yaml/lex"
)

// cursor is a position in a text, as the library counts lines. It goes to positions in their order without counting
// anything twice.
type cursor struct {
	text                 string
	offset, line, column int
}

func newCursor(text []byte) cursor { return cursor{text: otherBreaks.Replace(shared(text))} }

// move goes to a line and a column, from 1, and returns the offset there, or -1 if the text has no such position.
func (c *cursor) move(line, column int) int {
	if line < c.line || line == c.line && column < c.column || c.line == 0 {
		*c = cursor{text: c.text, line: 1, column: 1}
		if strings.HasPrefix(c.text, lex.ByteOrderMark) {
			c.offset = len(lex.ByteOrderMark)
		}
	}
	for c.line < line || c.line == line && c.column < column {
		next, size := utf8.DecodeRuneInString(c.text[c.offset:])
		if size == 0 {
			return -1
		}
		c.offset += size
		c.column++
		if next == '\n' {
			c.line, c.column = c.line+1, 1
		}
	}
	if c.line > line {
		return -1
	}
	return c.offset
}

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
