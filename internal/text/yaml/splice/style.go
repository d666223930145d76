package splice

import (
	"pillion.dev/pillion/internal/text/yaml/emit"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// styleIn returns the style for new text in a collection. What the collection holds decides on its widths, or else the
// document does.
func (s *splicer) styleIn(b *node.Node) emit.Style {
	if s.nearOf != b { // many values of one mapping may change, one after another
		s.near, s.nearOf = s.styleOf(b, s.style), b
	}
	return s.near
}

// styleOf returns a style with the widths that block collections inside of a node show.
func (s *splicer) styleOf(n *node.Node, style emit.Style) emit.Style {
	set := func(width *int, parent, child node.Kind, least int) {
		if shown := s.width(n, parent, child, least); shown >= 0 {
			*width = shown
		}
	}
	set(&style.Indent, node.MappingNode, node.MappingNode, 1)
	set(&style.ListIndent, node.MappingNode, node.SequenceNode, 0)
	set(&style.DashWidth, node.SequenceNode, node.MappingNode, 2)
	return style
}

// widest is the largest width that is used in practice. New text with larger ones would take much memory.
const widest = 16

// width returns how much deeper the first block collection of a kind is than its key or its dash, or -1 if there is
// none. The children of a node come before what is inside of them. What was added before does not count.
func (s *splicer) width(in *node.Node, parent, child node.Kind, least int) int {
	if in.Style&node.FlowStyle != 0 || in.Kind == node.AliasNode {
		return -1
	}
	for i, n := range in.Content {
		if in.Kind != parent || n.Kind != child || !isBlockCollection(n) || s.wasAdded(n) {
			continue
		}
		from := s.content(in)
		if parent == node.MappingNode {
			from = int(in.Content[max(i-1, 0)].Start)
		}
		if width := s.Column(s.content(n)) - s.Column(from); width >= least && width <= widest {
			return width
		}
	}
	for _, n := range in.Content {
		if n.Kind == node.ScalarNode || s.wasAdded(n) {
			continue
		}
		if width := s.width(n, parent, child, least); width >= 0 {
			return width
		}
	}
	return -1
}

func isBlockCollection(n *node.Node) bool {
	return (n.Kind == node.MappingNode || n.Kind == node.SequenceNode) && n.Style&node.FlowStyle == 0
}
