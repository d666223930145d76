package extent

import (
	"os"
	"path/filepath"
	"testing"

	"go.yaml.in/yaml/v3"
)

// Every scalar on one line must read as itself when its range is parsed alone.
func TestRangesHoldTheirScalars(t *testing.T) {
	for path, text := range corpus(t) {
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

// corpus returns the manifests that splices are tested with, by path.
func corpus(t testing.TB) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("../splice/testdata/corpus/*")
	if err != nil || len(paths) == 0 {
		t.Fatal("no corpus", err)
	}
	texts := map[string][]byte{}
	for _, path := range paths {
		if texts[path], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	return texts
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
