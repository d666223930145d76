package read

import (
	"strings"
	"testing"
)

func TestLastDocumentIsTheLast(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"one document", "a: b", "b"},
		{"one behind a mark", "# c\n---\na: b\n", "b"},
		{"several", "a: b\n---\nc: d\n--- e", "e"},
		{"one behind an end", "a: b\n...\nc: d\n", "d"},
		{"directives", "a: b\n...\n# c\n%TAG !t! tag:x,2000:\n---\n!t!x c\n", "c"},
		{"a block scalar", "a: b\n---\nc: |\n  ---\n  d", "---\nd"},
		{"lines that look like directives", "a: |\n  b\n---\n- \"\n%d\"\n", " %d"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := lastScalar(lastDocument([]byte(c.text))); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestLastDocumentIsReadWithinBounds(t *testing.T) {
	text := "a: b\n...\n" + strings.Repeat("%TAG !t! tag:x,2000:\n", 40) + "---\nc: d\n"
	if _, err := Document(lastDocument([]byte(text))); err == nil || !strings.Contains(err.Error(), "directives") {
		t.Errorf("got %v, want an error about directives", err)
	}
}

func TestAnAliasInsideOfItsAnchorHasAnEnd(t *testing.T) {
	if EndsOpen([]byte("a: &a [*a]")) {
		t.Error("it is no block scalar")
	}
}
