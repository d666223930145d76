package manifest

import (
	"errors"
	"fmt"

	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// Parse parses Text and returns the document and the object, which is the mapping inside of it. The nodes have no
// comments. With an error that is IsKeyError, it returns them too, for callers that change nothing.
func (i *Item) Parse() (document, object *node.Node, err error) {
	return i.ParseIn(new(read.Arena))
}

// ParseIn is like Parse, with the memory of an arena.
func (i *Item) ParseIn(arena *read.Arena) (document, object *node.Node, err error) {
	document, err = arena.Document(i.Text)
	if err != nil {
		return nil, nil, parseError(err, i.PositionOf)
	}
	object = ObjectIn(document)
	if object == nil {
		return nil, nil, errorAt(i.Line, "this item is %s; expected a mapping", describe(document.Content[0]))
	}
	if i.problem != nil && !IsKeyError(i.problem) {
		return nil, nil, i.problem
	}
	return document, object, i.problem
}

// PositionOf returns the line and the column in the stream of an offset in the item's text, both from 1.
func (i *Item) PositionOf(offset int) (line, column int) {
	line, column = read.Position(i.Text, offset)
	if line == 1 { // an item in brackets begins in the middle of a line
		column += i.Column - 1
	}
	return i.Line + line - 1, column
}

// ObjectIn returns the mapping in the document of an item, which may be behind the dash of its list, or nil.
func ObjectIn(document *node.Node) *node.Node {
	root := entryIn(document.Content[0])
	if root.Kind != node.MappingNode {
		return nil
	}
	return root
}

func entryIn(root *node.Node) *node.Node {
	if root.Kind == node.SequenceNode && root.Style&node.FlowStyle == 0 && len(root.Content) == 1 {
		return root.Content[0]
	}
	return root
}

// parseError returns an error of the reader with its position in the stream.
func parseError(err error, positionOf func(offset int) (line, column int)) error {
	var at int
	found, ok := errors.AsType[*read.Error](err)
	if ok {
		at = found.At
	}
	if !ok || !found.IsYAML {
		err = fmt.Errorf("this is not YAML: %w", err)
	}
	line, column := positionOf(at)
	return &LineError{Line: line, Column: column, Err: err}
}

// describe returns what a node is, for messages.
func describe(n *node.Node) string {
	switch {
	case n.Kind == node.AliasNode:
		return "an alias"
	case node.IsNull(n):
		return "null"
	}
	return node.Describe(n)
}
