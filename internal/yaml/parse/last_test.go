package parse_test

import (
	"strings"
	"testing"

	"pillion.dev/pillion/internal/yaml/parse"
)

func TestLastIsTheLastDocument(t *testing.T) {
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
			n, err := parse.Last([]byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			for len(n.Content) > 0 {
				n = n.Content[len(n.Content)-1]
			}
			if n.Value != c.want {
				t.Errorf("got %q, want %q", n.Value, c.want)
			}
		})
	}
}

func TestLastBoundsWhatTheLibraryReads(t *testing.T) {
	text := "a: b\n...\n" + strings.Repeat("%TAG !t! tag:x,2000:\n", 40) + "---\nc: d\n"
	if _, err := parse.Last([]byte(text)); err == nil || !strings.Contains(err.Error(), "directives") {
		t.Errorf("got %v, want an error about directives", err)
	}
}
