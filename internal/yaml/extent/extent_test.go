package extent

import (
	"os"
	"path/filepath"
	"testing"

	"go.yaml.in/yaml/v3"
)

// Every scalar on one line must read as itself when its range is parsed alone.
func TestRangesHoldTheirScalars(t *testing.T) {
	paths, err := filepath.Glob("../splice/testdata/corpus/*")
	if err != nil || len(paths) == 0 {
		t.Fatal("no corpus", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var document yaml.Node
		if err := yaml.Unmarshal(text, &document); err != nil {
			t.Fatal(err)
		}
		extents, err := Of(text, &document, nil)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		checkScalars(t, path, text, extents, &document)
	}
}

func checkScalars(t *testing.T, path string, text []byte, extents *Map, n *yaml.Node) {
	const block = yaml.LiteralStyle | yaml.FoldedStyle
	if e := extents.Get(n); n.Kind == yaml.ScalarNode && n.Style&block == 0 && n.Tag != "!!merge" {
		var alone yaml.Node
		if err := yaml.Unmarshal(text[e.Start:e.End], &alone); err != nil {
			t.Errorf("%s:%d: %q: %v", path, n.Line, text[e.Start:e.End], err)
		} else if len(alone.Content) > 0 && alone.Content[0].Value != n.Value || len(alone.Content) == 0 && n.Value != "" {
			t.Errorf("%s:%d: %q is not %q", path, n.Line, text[e.Start:e.End], n.Value)
		}
	}
	for _, child := range n.Content {
		checkScalars(t, path, text, extents, child)
	}
}

func TestBlockScalarsEndWhereTheirTextDoes(t *testing.T) {
	for _, c := range []struct {
		name, text string
		indent     int
		rest       string
	}{
		{"clipped", "|\n  a\n\nb", 0, "\nb"},
		{"kept", "|+\n  a\n\nb", 0, "b"},
		{"with deeper lines", "|\n  a\n    c\n  d\nb", 0, "b"},
		{"with a comment on its line", "| # why\n  a\nb", 0, "b"},
		{"with its indentation given", "|2\n    a\n  c\nb", 0, "b"},
		{"without text", "|\nb", 0, "b"},
		{"with carriage returns", "|\r\n  a\r\nb", 0, "b"},
		{"at the end", "|-\n  a", 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.text[BlockScalarEnd([]byte(c.text), 0, c.indent):]; got != c.rest {
				t.Errorf("got rest %q, want %q", got, c.rest)
			}
		})
	}
}
