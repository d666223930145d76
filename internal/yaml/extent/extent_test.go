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
		extents, err := Find(text, &document, nil)
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
