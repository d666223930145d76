package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/read"
)

// Parse parses Text and returns the document and the object, which is the mapping inside of it. The nodes have no comments.
// With an error that is IsKeyError, it returns them too, for callers that change nothing.
func (i *Item) Parse() (document, object *node.Node, err error) {
	return i.ParseIn(new(read.Arena))
}

// ParseIn is like Parse, with the memory of an arena.
func (i *Item) ParseIn(arena *read.Arena) (document, object *node.Node, err error) {
	document, err = parse(arena, i.Text, i.Line)
	if err != nil {
		return nil, nil, i.inStream(err)
	}
	object = objectIn(document.Content[0])
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
	return i.Position(read.Position(i.Text, offset))
}

// Position returns the line and the column in the stream of a position in the item's text, all from 1.
func (i *Item) Position(line, column int) (int, int) {
	if line == 1 { // an item in brackets begins in the middle of a line
		column += i.Column - 1
	}
	return i.Line + line - 1, column
}

// inStream returns an error about the item's text with its position in the stream.
func (i *Item) inStream(err error) error {
	if at, ok := errors.AsType[*LineError](err); ok && at.Column > 0 {
		_, at.Column = i.Position(at.Line-i.Line+1, at.Column)
	}
	return err
}

// PeekAnnotation returns what is probably the value of an annotation on a line of its own, for messages about a broken object.
func (i *Item) PeekAnnotation(key string) string {
	for line := range bytes.Lines(i.Text) {
		if value, ok := bytes.CutPrefix(bytes.TrimLeft(line, " \"'"), []byte(key)); ok {
			return string(bytes.Trim(value, " \"':\r\n"))
		}
	}
	return ""
}

// objectIn returns the mapping in an item's text, which may be behind the dash of its list, or nil.
func objectIn(root *node.Node) *node.Node {
	if root = entryIn(root); root.Kind != node.MappingNode {
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

// parse parses a text with exactly one document that begins on a line of the stream.
func parse(arena *read.Arena, text []byte, line int) (*node.Node, error) {
	document, err := arena.Document(text)
	if err == nil {
		return document, nil
	}
	if errors.Is(err, io.EOF) {
		return nil, errorAt(line, "there is no object here; expected a mapping: %w", err)
	}
	return nil, parseError(text, err, line)
}

// parseError returns an error of the reader with its line in the stream, given the line on which the text begins.
func parseError(text []byte, err error, line int) error {
	found, ok := errors.AsType[*read.Error](err)
	if !ok {
		return errorAt(line, "this is not YAML: %w", err)
	}
	at, column := read.Position(text, found.At)
	if !found.IsYAML {
		err = fmt.Errorf("this is not YAML: %w", err)
	}
	return &LineError{Line: line + at - 1, Column: column, Err: err}
}

// describe returns what a node is, for messages.
func describe(n *node.Node) string {
	switch n.Kind {
	case node.MappingNode:
		return "a mapping"
	case node.SequenceNode:
		return "a list"
	case node.AliasNode:
		return "an alias"
	}
	switch n.Tag {
	case node.NullTag:
		return "null"
	case node.StrTag:
		return "a string"
	case node.IntTag, node.FloatTag:
		return "a number"
	case node.BoolTag:
		return "a boolean"
	}
	return "a scalar"
}
