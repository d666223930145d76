package splice

import (
	"strings"

	"pillion.dev/pillion/internal/yaml/emit"
	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/read"
)

// styleOf returns the style that most block collections of a text have. Restored nodes count as they were written.
func styleOf(lines lex.Lines, document *node.Node, texts map[*node.Node]string) emit.Style {
	votes := styleVotes{lines: lines, texts: texts}
	votes.count(document)
	return emit.Style{
		LineEnd:   lex.LineBreak(lines.Text),
		Indents:   emit.Indents{Indent: votes.indent.winner(2), ListIndent: votes.list.winner(0)},
		DashWidth: votes.dash.winner(2),
		Texts:     texts,
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
	lines              lex.Lines
	indent, list, dash ballot
	texts              map[*node.Node]string
}

func (v *styleVotes) count(n *node.Node) {
	if n.Style&node.FlowStyle != 0 || n.Kind == node.AliasNode {
		return
	}
	for i, child := range n.Content {
		if child.Kind == node.ScalarNode && len(v.texts) == 0 {
			continue
		}
		switch {
		case n.Kind == node.MappingNode && i%2 == 1:
			v.pair(n.Content[i-1], child)
		case n.Kind == node.SequenceNode && child.Kind == node.MappingNode && isWithoutProperties(n):
			if width := v.width(n, child); width > 0 {
				v.dash.vote(width)
			}
		}
		if text, known := v.texts[child]; known && !node.IsRead(child) {
			v.countText(n.Kind, child, text)
		} else if child.Kind != node.ScalarNode {
			v.count(child)
		}
	}
}

// countText counts the indents in the text of a node behind a key or a dash.
func (v *styleVotes) countText(parent node.Kind, n *node.Node, text string) {
	if !strings.Contains(text, "\n") {
		return
	}
	style := emit.Style{LineEnd: "\n", Texts: v.texts}
	written := style.Value([]byte("k:"), n, 0)
	if parent == node.SequenceNode {
		written = style.Entry(nil, n, 0)
	}
	if document, err := read.Document(written); err == nil {
		outside := v.lines
		v.lines = lex.NewLines(written)
		v.count(document)
		v.lines = outside
	}
}

// width returns how much deeper a node is than another, or -1 if one of them has no place of its own in the text.
func (v *styleVotes) width(from, to *node.Node) int {
	if !node.IsRead(from) || !node.IsRead(to) || !isWithoutProperties(to) {
		return -1
	}
	return v.column(int(to.Start)) - v.column(int(from.Start))
}

// column counts the characters before an offset on its line, which are spaces and dashes in nearly all cases.
func (v *styleVotes) column(offset int) int {
	text, start := v.lines.Text, offset
	for start > 0 && (text[start-1] == ' ' || text[start-1] == '-') {
		start--
	}
	if start > 0 && text[start-1] != '\n' {
		return v.lines.Column(offset)
	}
	return offset - start
}

func (v *styleVotes) pair(key, value *node.Node) {
	if !isBlockCollection(value) {
		return
	}
	if width := v.width(key, value); value.Kind == node.SequenceNode {
		v.list.vote(width)
	} else if width > 0 { // a key behind a "?" is as deep as its value
		v.indent.vote(width)
	}
}

func isWithoutProperties(n *node.Node) bool { return !n.HasAnchor() && n.Style&node.TaggedStyle == 0 }

func isBlockCollection(n *node.Node) bool {
	return (n.Kind == node.MappingNode || n.Kind == node.SequenceNode) && n.Style&node.FlowStyle == 0
}

// styleIn returns the style for new text in a block collection. The values of a mapping decide on the indent of its new values, but
// not on what is inside of those.
func (s *splicer) styleIn(b *node.Node) emit.Style {
	if b.Kind != node.MappingNode {
		return s.style
	}
	if s.nearOf != b { // many values of one mapping may change, one after another
		votes := styleVotes{lines: s.Lines}
		for i := 0; i+1 < len(b.Content); i += 2 {
			if !s.wasAdded(b.Content[i]) {
				votes.pair(b.Content[i], b.Content[i+1])
			}
		}
		s.nearOf = b
		s.near = emit.Indents{Indent: votes.indent.winner(s.style.Indent), ListIndent: votes.list.winner(s.style.ListIndent)}
	}
	style := s.style
	style.Near = &s.near
	return style
}
