package emit

import (
	"strings"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// Object returns an object as YAML in block style, as people write it.
func Object(object *node.Node) (text []byte) {
	style := Style{LineEnd: "\n", Indent: 2, DashWidth: 2}
	for i := range object.Children() {
		text = append(style.Child(text, object, i, 0), '\n')
	}
	return text
}

// Child appends the entry or the pair with an index of a collection at a column. The line is not indented and not
// ended.
func (s Style) Child(dst []byte, n *node.Node, i, column int) []byte {
	if n.Kind != node.MappingNode {
		return s.Entry(dst, n.Content[i], column)
	}
	return s.Value(append(s.Scalar(dst, n.Content[2*i], false), ':'), n.Content[2*i+1], column)
}

// Value appends a value behind the colon of a key at a column.
func (s Style) Value(dst []byte, value *node.Node, column int) []byte {
	inner := column + s.deeper(value)
	switch text, known := s.Text(value); {
	case known && (inline(value) || strings.HasPrefix(text, "\n")):
		return s.behind(dst, text, column)
	case inline(value):
		return s.inline(dst, value, inner)
	}
	return s.block(s.newLine(dst, inner), value, inner)
}

// deeper returns how much deeper than its key a collection is.
func (s Style) deeper(n *node.Node) int {
	if n.Kind == node.SequenceNode {
		return s.ListIndent
	}
	return s.Indent
}

// Entry appends a dash at a column and its entry. The line is not indented and not ended.
func (s Style) Entry(dst []byte, entry *node.Node, column int) []byte {
	return s.EntryValue(append(dst, '-'), entry, column)
}

// EntryValue appends an entry behind a dash at a column.
func (s Style) EntryValue(dst []byte, entry *node.Node, column int) []byte {
	switch text, known := s.Text(entry); {
	case known && inline(entry):
		return s.behind(dst, text, column)
	case known:
		return s.behind(dst, text, column+2)
	case inline(entry): // a block scalar is deeper than the dash, whatever the width of the dash
		return s.inline(dst, entry, column+max(s.DashWidth, 2))
	}
	return s.block(Spaces(dst, s.DashWidth-1), entry, column+s.DashWidth)
}

// block appends a block collection at a column. Its first line is begun already.
func (s Style) block(dst []byte, n *node.Node, column int) []byte {
	for i := range n.Children() {
		if i > 0 {
			dst = s.newLine(dst, column)
		}
		dst = s.Child(dst, n, i, column)
	}
	return dst
}

// inline appends a space and a node that begins on the line. The lines of a block scalar begin at the column.
func (s Style) inline(dst []byte, n *node.Node, column int) []byte {
	if n.Kind == node.ScalarNode {
		if n.Tag == node.NullTag && n.Value == "" {
			return dst
		}
		if block, ok := s.blockScalar(append(dst, ' '), n, column); ok {
			return block
		}
		return s.Scalar(append(dst, ' '), n, false)
	}
	s.Flow.Indent = ""
	return s.FlowValue(append(dst, ' '), n, "")
}
