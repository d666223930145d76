package parse

import (
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestArenasGiveTheSameNodes reads every text twice with one arena, and changes all nodes before it is returned, so that what a
// document leaves behind would show in the next.
func TestArenasGiveTheSameNodes(t *testing.T) {
	arena := new(Arena)
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
			for _, chunk := range arena.nodes.all {
				fill(chunk[:cap(chunk)])
			}
			arena.Return()
		}
	}
}

// fill sets all fields of nodes.
func fill(nodes []yaml.Node) {
	for i := range nodes {
		nodes[i] = yaml.Node{
			Kind: yaml.AliasNode, Style: yaml.FoldedStyle, Tag: "a", Value: "b", Anchor: "c", Alias: &nodes[0], Content: []*yaml.Node{&nodes[0]},
			HeadComment: "d", LineComment: "e", FootComment: "f", Line: -1, Column: -1,
		}
	}
}

func sameTree(a, b *yaml.Node) bool {
	if a.Kind != b.Kind || a.Style != b.Style || a.Tag != b.Tag || a.Value != b.Value || a.Line != b.Line || a.Column != b.Column ||
		a.Anchor != b.Anchor || (a.Alias == nil) != (b.Alias == nil) || a.HeadComment+a.LineComment+a.FootComment !=
		b.HeadComment+b.LineComment+b.FootComment || len(a.Content) != len(b.Content) {
		return false
	}
	for i := range a.Content {
		if !sameTree(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}
