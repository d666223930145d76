package kustomization

import (
	"bytes"
	"strings"

	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// podLists are the lists of a pod that a strategic merge patch may change.
var podLists = []string{"initContainers", "containers", "volumes"}

// LocationOf returns the file and the line of a step, as far as they are known: of the operation, or of the list of a pod
// that a strategic merge patch has for a workload.
func (d *Disk) LocationOf(s Step, kind, name string) (path string, line int) {
	if s.Patch != "" {
		return s.Patch, s.lineInPatch(kind, name)
	}
	text, err := d.ReadFile(s.File)
	if err != nil {
		return s.File, 0
	}
	entry := entryOf(node.Get(rootOf(text), s.Field), s.Index)
	if entry == nil {
		return s.File, 0
	}
	patch := node.Get(entry, "patch")
	if entry.Kind == node.ScalarNode {
		patch = entry
	}
	switch {
	case patch == nil:
		return s.File, lineAt(text, entry)
	case patch.Style&node.LiteralStyle == 0:
		return s.File, lineAt(text, patch)
	}
	return s.File, lineAt(text, patch) + s.lineInPatch(kind, name) // the text begins in the line below
}

// lineInPatch returns the line of the step in the text of its patch.
func (s Step) lineInPatch(kind, name string) int {
	if s.Operation >= 0 {
		return lineAt(s.Text, entryOf(rootOf(s.Text), s.Operation))
	}
	patches, _ := files.File{Text: s.Text}.Items() // without any, it is no strategic merge patch
	for _, patch := range patches {
		isFor := patch.Kind == kind && strings.Contains(name, patch.Name)
		_, object, err := patch.Parse()
		if err != nil || !isFor && len(patches) > 1 {
			continue
		}
		if list := listIn(object); list != nil {
			line, _ := patch.PositionOf(int(list.Start))
			return line
		}
	}
	return 1
}

// listIn returns the key of the first list of a pod in a patch, or nil.
func listIn(patch *node.Node) (key *node.Node) {
	for _, list := range podLists {
		node.Visit(patch, func(n *node.Node) {
			if n.Kind != node.MappingNode || key != nil {
				return
			}
			if i := node.Index(n, list); i >= 0 {
				key = n.Content[i]
			}
		})
	}
	return key
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

// lineAt returns the line of a node, or 1 if its location is not known.
func lineAt(text []byte, n *node.Node) int {
	if n == nil || int(n.Start) > len(text) {
		return 1
	}
	return 1 + bytes.Count(text[:n.Start], []byte("\n"))
}
