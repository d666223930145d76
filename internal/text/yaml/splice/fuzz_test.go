package splice

import (
	"bytes"
	"testing"

	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// FuzzSplice makes one edit at any place of any text, and takes it back.
func FuzzSplice(f *testing.F) {
	for _, text := range corpus(f) {
		for action := range byte(5) {
			f.Add(text, action, uint16(7*action))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, action byte, place uint16) {
		if single(text) == nil {
			return
		}
		arena := new(read.Arena)
		before := readIn(arena, text)
		if before == nil {
			return
		}
		after := readIn(new(read.Arena), text)
		collections := collectionsIn(after, nil)
		if len(collections) == 0 {
			return
		}
		target := int(place) % len(collections)
		undo := act(t, collections[target], action%5)
		edits, err := Edits(text, before, after, Past{})
		if err != nil {
			return // refusing is right, as long as it is not wrong
		}
		edited := edit.Apply(text, edits)
		reread := single(edited)
		if reread == nil || !equal(reread, after) {
			t.Fatalf("says something else:\n%q", edited)
		}
		again, err := spliced(edited, reread, single(edited))
		if err != nil || !bytes.Equal(again, edited) {
			t.Fatalf("a second run changes %q to %q (%v)", edited, again, err)
		}
		if undo == nil {
			return
		}
		undone := single(edited)
		undo(collectionsIn(undone, nil)[target])
		restored, err := spliced(edited, reread, undone)
		if err != nil {
			t.Fatalf("undoing %q: %v", edited, err)
		}
		if !bytes.Equal(restored, text) {
			t.Fatalf("from:\n%q\nedited:\n%q\nrestored:\n%q", text, edited, restored)
		}
	})
}

// single parses text that holds one document of reasonable content, or is nil.
func single(text []byte) *node.Node {
	document, err := read.Document(text)
	if err != nil {
		return nil
	}
	return document
}

func collectionsIn(n *node.Node, found []*node.Node) []*node.Node {
	if n.Kind == node.MappingNode || n.Kind == node.SequenceNode {
		found = append(found, n)
	}
	if n.Kind == node.AliasNode {
		return found
	}
	for _, child := range n.Content {
		found = collectionsIn(child, found)
	}
	return found
}

// act changes a collection and returns how that is undone, or nil where undoing need not
// give the same bytes.
func act(t *testing.T, n *node.Node, action byte) (undo func(*node.Node)) {
	var entries []*node.Node
	if n.Kind == node.MappingNode {
		entries = append(entries, node.String("fuzz added key"))
	}
	entries = append(entries, fresh(t, sidecar))
	count := len(entries)
	index := 0
	switch action {
	case 0:
		index = len(n.Content)
	case 1:
	case 2:
		index = len(n.Content) / 2 / count * count
	case 3:
		if len(n.Content) > 0 {
			removeAt(n, 0, count)
		}
		return nil
	default:
		if len(n.Content) > 0 {
			n.Content[len(n.Content)-1] = fresh(t, "a: [b]\nc: 'd'")
		}
		return nil
	}
	if len(n.Content) == 0 {
		// What was between empty brackets cannot be known afterwards.
		undo = nil
	} else {
		undo = func(n *node.Node) { removeAt(n, index, count) }
	}
	n.Content = append(n.Content[:index:index], append(entries, n.Content[index:]...)...)
	return undo
}
