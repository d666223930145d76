package splice

import (
	"bytes"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/emit"
	"pillion.dev/pillion/internal/extent"
)

// styleOf finds out how the text is written by looking at all of its block collections.
func styleOf(text []byte, document *yaml.Node, extents *extent.Map) emit.Style {
	votes := styleVotes{Map: extents}
	for _, n := range document.Content {
		votes.count(n)
	}
	return emit.Style{
		LineEnd:    lineEndOf(text),
		Indent:     votes.indent.winner(2),
		ListIndent: votes.list.winner(0),
		DashWidth:  votes.dash.winner(2),
	}
}

// lineEndOf is the line end that the text uses.
func lineEndOf(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// ballot counts how often a width is seen, up to the widest that anyone uses.
type ballot [17]int

func (b *ballot) vote(width int) {
	if width >= 0 && width < len(b) {
		b[width]++
	}
}

func (b *ballot) winner(otherwise int) int {
	best, most := otherwise, 0
	for width, count := range b {
		if count > most {
			best, most = width, count
		}
	}
	return best
}

type styleVotes struct {
	*extent.Map
	indent, list, dash ballot
}

func (v *styleVotes) count(n *yaml.Node) {
	if n.Style&yaml.FlowStyle != 0 {
		return
	}
	if n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			v.pair(n.Content[i], n.Content[i+1])
		}
	}
	if n.Kind == yaml.SequenceNode {
		for _, entry := range n.Content {
			if e := v.Get(entry); entry.Kind == yaml.MappingNode && v.Start(e.Lead) == v.Start(e.Content) {
				v.dash.vote(v.Column(e.Content) - v.Column(e.Lead))
			}
		}
	}
	for _, child := range n.Content {
		v.count(child)
	}
}

func (v *styleVotes) pair(key, value *yaml.Node) {
	if !isBlockCollection(value) {
		return
	}
	width := v.Column(v.Get(value).Content) - v.Column(v.Get(key).Start)
	if value.Kind == yaml.SequenceNode {
		v.list.vote(width)
	} else {
		v.indent.vote(width)
	}
}

func isBlockCollection(n *yaml.Node) bool {
	return (n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode) && n.Style&yaml.FlowStyle == 0
}

// near is the style for new text in a mapping: its own lists decide how a new list is
// written, before the text's other lists do.
func (s *splicer) near(m *yaml.Node) emit.Style {
	votes := styleVotes{Map: s.Map}
	for i := 0; i+1 < len(m.Content); i += 2 {
		votes.pair(m.Content[i], m.Content[i+1])
	}
	style := s.style
	style.ListIndent = votes.list.winner(style.ListIndent)
	style.Indent = votes.indent.winner(style.Indent)
	return style
}
