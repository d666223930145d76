package splice

import (
	"strings"

	"pillion.dev/pillion/internal/yaml/emit"
	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

// shown is the style that block collections of a text show. The first that shows one of the widths decides on it.
type shown struct {
	source
	texts              map[*node.Node]string // how restored nodes are written
	indent, list, dash int                   // -1 if it is not shown yet
}

// styleOf returns the style of a document.
func styleOf(text source, document *node.Node, texts map[*node.Node]string) emit.Style {
	s := shown{text, texts, -1, -1, -1}
	s.visit(document)
	style := emit.Style{LineEnd: lex.LineBreak(text.Text), Indent: 2, DashWidth: 2, Texts: texts}
	s.setIndents(&style)
	if s.dash > 0 {
		style.DashWidth = s.dash
	}
	return style
}

// setIndents sets the indents of a style that are shown.
func (s *shown) setIndents(style *emit.Style) {
	if s.indent > 0 {
		style.Indent = s.indent
	}
	if s.list >= 0 {
		style.ListIndent = s.list
	}
}

func (s *shown) visit(n *node.Node) {
	if n.Style&node.FlowStyle != 0 || n.Kind == node.AliasNode {
		return
	}
	for i, child := range n.Content {
		isShown := s.indent > 0 && s.list >= 0 && s.dash > 0
		if isShown || child.Kind == node.ScalarNode {
			continue
		}
		switch {
		case n.Kind == node.MappingNode && i%2 == 1:
			s.pair(n.Content[i-1], child)
		case n.Kind == node.SequenceNode:
			s.entry(n, child)
		}
		s.visit(child)
	}
}

// pair takes the indent of a value.
func (s *shown) pair(key, value *node.Node) {
	switch {
	case !isBlockCollection(value):
	case value.Kind == node.SequenceNode && s.list < 0:
		s.list = s.width(key, value)
	case value.Kind == node.MappingNode && s.indent <= 0: // a key behind a "?" is as deep as its value
		s.indent = s.width(key, value)
	}
}

// entry takes the width of a dash. An entry that is restored is written behind the dash and one space.
func (s *shown) entry(list, entry *node.Node) {
	if s.dash > 0 || entry.Kind != node.MappingNode || !isWithoutProperties(list) {
		return
	}
	width := s.width(list, entry)
	if text, known := s.texts[entry]; known && isBlockCollection(entry) {
		width = len("- ") + len(text) - len(strings.TrimLeft(text, " "))
	}
	if width >= 2 && width <= widest {
		s.dash = width
	}
}

// width returns how much deeper a node is than another, or -1 if one of them has no place of its own in the text. A node with an anchor or
// a tag has none, because it does not begin at its first child.
func (s *shown) width(from, to *node.Node) int {
	if !node.IsRead(from) || !node.IsRead(to) || !isWithoutProperties(to) {
		return -1
	}
	width := s.Column(int(to.Start)) - s.Column(int(from.Start))
	if width > widest {
		return -1
	}
	return width
}

// widest is the largest width that is used in practice. New text with larger ones would take much memory.
const widest = 16

func isWithoutProperties(n *node.Node) bool { return !n.IsAnchored && n.Style&node.TaggedStyle == 0 }

func isBlockCollection(n *node.Node) bool {
	return (n.Kind == node.MappingNode || n.Kind == node.SequenceNode) && n.Style&node.FlowStyle == 0
}

// styleIn returns the style for new text in a block collection. In a mapping, the values that are there decide on the indents.
func (s *splicer) styleIn(b *node.Node) emit.Style {
	if b.Kind != node.MappingNode {
		return s.style
	}
	if s.nearOf != b { // many values of one mapping may change, one after another
		near := shown{source: s.source, indent: -1, list: -1}
		for i := 0; i+1 < len(b.Content); i += 2 {
			if !s.wasAdded(b.Content[i]) {
				near.pair(b.Content[i], b.Content[i+1])
			}
		}
		s.near, s.nearOf = s.style, b
		near.setIndents(&s.near)
	}
	return s.near
}
