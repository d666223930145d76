package parse

import (
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestArenasGiveTheSameNodes reads every text twice with one arena, so that what a document
// leaves behind would show in the next.
func TestArenasGiveTheSameNodes(t *testing.T) {
	arena := Borrow()
	for name, text := range manifests(t) {
		for range 2 {
			want, wantErr := Document(text)
			got, gotErr := arena.Document(text)
			if (wantErr == nil) != (gotErr == nil) {
				t.Fatalf("%s: %v without an arena, %v with one", name, wantErr, gotErr)
			}
			if wantErr == nil && !sameTree(want, got) {
				t.Errorf("%s: another tree", name)
			}
			arena.nodes.reset()
			arena.children.reset()
		}
	}
}

func sameTree(a, b *yaml.Node) bool {
	if a.Kind != b.Kind || a.Style != b.Style || a.Tag != b.Tag || a.Value != b.Value || a.Line != b.Line || a.Column != b.Column ||
		a.Anchor != b.Anchor || len(a.Content) != len(b.Content) {
		return false
	}
	for i := range a.Content {
		if !sameTree(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}
