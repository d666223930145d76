package splice

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/emit"
	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/parse"
)

// styleOf returns the style that most block collections of a text have. Restored nodes count as they were written.
func styleOf(text []byte, document *yaml.Node, texts map[*yaml.Node]string) emit.Style {
	votes := styleVotes{texts: texts}
	for _, n := range document.Content {
		votes.count(n)
	}
	return emit.Style{
		LineEnd:   lex.LineBreak(text),
		Indents:   emit.Indents{Indent: votes.indent.winner(2), ListIndent: votes.list.winner(0)},
		DashWidth: votes.dash.winner(2),
	}
}

// ballot counts how often each width occurs, up to the widest that is used in practice.
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

// styleVotes counts the indents of nodes. A node with an anchor or a tag does not count, because it does not begin at its
// first child.
type styleVotes struct {
	indent, list, dash ballot
	texts              map[*yaml.Node]string
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
	if n.Kind == yaml.SequenceNode && isWithoutProperties(n) {
		for _, entry := range n.Content {
			if entry.Kind == yaml.MappingNode && isWithoutProperties(entry) && node.IsRead(entry) && entry.Column > n.Column {
				v.dash.vote(entry.Column - n.Column)
			}
		}
	}
	for _, child := range n.Content {
		if child.Kind == yaml.ScalarNode && len(v.texts) == 0 {
			continue
		}
		if text, known := v.texts[child]; known && !node.IsRead(child) {
			v.countText(n.Kind, child, text)
			continue
		}
		v.count(child)
	}
}

// countText counts the indents in the text of a node behind a key or a dash.
func (v *styleVotes) countText(parent yaml.Kind, n *yaml.Node, text string) {
	if !strings.Contains(text, "\n") {
		return
	}
	style := emit.Style{LineEnd: "\n", Texts: v.texts}
	written := style.Value([]byte("k:"), n, 0)
	if parent == yaml.SequenceNode {
		written = style.Entry(nil, n, 0)
	}
	if document, err := parse.Document(written); err == nil {
		v.count(document.Content[0])
	}
}

func (v *styleVotes) pair(key, value *yaml.Node) {
	if !isBlockCollection(value) || !isWithoutProperties(value) || !node.IsRead(value) {
		return
	}
	if width := value.Column - key.Column; value.Kind == yaml.SequenceNode {
		v.list.vote(width)
	} else if width > 0 { // a key behind a "?" is as deep as its value
		v.indent.vote(width)
	}
}

func isWithoutProperties(n *yaml.Node) bool { return n.Anchor == "" && n.Style&yaml.TaggedStyle == 0 }

func isBlockCollection(n *yaml.Node) bool {
	return (n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode) && n.Style&yaml.FlowStyle == 0
}

// near returns the style for new text in a mapping. Its own values decide on the indent of new values, but not on what is
// inside of those.
func (s *splicer) near(m *yaml.Node) emit.Style {
	style := s.style
	if known, ok := s.nears[m]; ok {
		style.Near = known
		return style
	}
	var votes styleVotes
	for i := 0; i+1 < len(m.Content); i += 2 {
		if !s.wasAdded(m.Content[i]) {
			votes.pair(m.Content[i], m.Content[i+1])
		}
	}
	style.Near = &emit.Indents{Indent: votes.indent.winner(style.Indent), ListIndent: votes.list.winner(style.ListIndent)}
	if s.nears == nil {
		s.nears = map[*yaml.Node]*emit.Indents{}
	}
	s.nears[m] = style.Near
	return style
}
