package kustomization

import (
	"bytes"

	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// podLists are the lists of a pod that a strategic merge patch may change.
var podLists = []string{"initContainers", "containers", "volumes"}

// Place returns the file and the line of a step, as far as they are known: of the operation, or of the list of a pod
// that a strategic merge patch has.
func (d *Disk) Place(s Step) (path string, line int) {
	if s.Patch != "" {
		return s.Patch, s.lineInPatch()
	}
	text, err := d.ReadFile(s.File)
	if err != nil {
		return s.File, 0
	}
	root := rootOf(text)
	entry := entryOf(node.Get(root, s.Field), s.Index)
	if entry == nil {
		return s.File, 0
	}
	patch := node.Get(entry, "patch")
	if entry.Kind == node.ScalarNode {
		patch = entry
	}
	if patch == nil || patch.Style&node.LiteralStyle == 0 {
		return s.File, lineAt(text, entry)
	}
	return s.File, lineAt(text, patch) + s.lineInPatch() // the text begins in the line below
}

// lineInPatch returns the line of the step in the text of its patch.
func (s Step) lineInPatch() int {
	root := rootOf(s.Text)
	if s.Operation >= 0 {
		return lineAt(s.Text, entryOf(root, s.Operation))
	}
	var found *node.Node
	if root != nil {
		for _, list := range podLists {
			node.Visit(root, func(n *node.Node) {
				if i := node.Index(n, list); n.Kind == node.MappingNode && i >= 0 && found == nil {
					found = n.Content[i]
				}
			})
		}
	}
	return lineAt(s.Text, found)
}

// rootOf returns the root of the first document of a text, or nil if it cannot be read.
func rootOf(text []byte) *node.Node {
	document, err := read.Document(text)
	if err != nil || len(document.Content) == 0 {
		return nil
	}
	return document.Content[0]
}

func entryOf(list *node.Node, index int) *node.Node {
	if list == nil || list.Kind != node.SequenceNode || index >= len(list.Content) {
		return nil
	}
	return node.Resolve(list.Content[index])
}

// lineAt returns the line of a node, or 1 if its place is not known.
func lineAt(text []byte, n *node.Node) int {
	if n == nil || int(n.Start) > len(text) {
		return 1
	}
	return 1 + bytes.Count(text[:n.Start], []byte("\n"))
}
