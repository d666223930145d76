package splice

import (
	"errors"
	"strings"

	"pillion.dev/pillion/internal/text/yaml/emit"
	"pillion.dev/pillion/internal/text/yaml/lex"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// insertFlow inserts new children in brackets right before the one at the index, or right behind the last one. They
// have lines of their own if that one does.
func (s *splicer) insertFlow(b *node.Node, index int, a *node.Node, changes []change) {
	if line, ok := s.flowLine(b, index); ok {
		s.insertFlowLines(line, s.lineIndent(flowStart(b, min(index, b.Children()-1))), a, changes)
		return
	}
	isLast := index == b.Children()
	neighbour := min(index, b.Children()-1)
	start := flowStart(b, neighbour)
	gap, indent := ", ", s.lineIndent(start)
	switch {
	case s.beginsLine(start):
		gap = "," + s.style.LineEnd + indent
	case s.style.Flow.Tight:
		gap = ","
	}
	var text []byte
	for _, c := range changes {
		if isLast {
			text = s.style.FlowChild(append(text, gap...), a, c.after, indent)
		} else {
			text = append(s.style.FlowChild(text, a, c.after, indent), gap...)
		}
	}
	at := start
	if isLast {
		at = flowEnd(b, neighbour)
	}
	s.replace(at, at, text)
}

// flowLine returns the line at which children with lines of their own are inserted in brackets before an index, as in
// block style. It is not ok if their neighbour shares its lines with others.
func (s *splicer) flowLine(b *node.Node, index int) (line int, ok bool) {
	if index < b.Children() {
		start := flowStart(b, index)
		return s.above(b, index, start), s.beginsLine(start)
	}
	below, ok := s.belowFlow(b, index-1)
	return s.BehindComments(below, s.Column(int(b.End)-1)), ok
}

// belowFlow returns the line below a child in brackets. It is not ok unless the child and its comma have lines of their
// own.
func (s *splicer) belowFlow(b *node.Node, i int) (line int, ok bool) {
	comma := lex.SkipBlanks(s.Text, flowEnd(b, i))
	ok = s.beginsLine(flowStart(b, i)) && s.Text[comma] == ',' && lex.RestIsBlank(s.Text, comma+1)
	return s.Next(comma), ok
}

// insertFlowLines inserts new children in brackets at a line.
func (s *splicer) insertFlowLines(line int, indent string, a *node.Node, changes []change) {
	var text []byte
	for _, c := range changes {
		text = s.style.FlowChild(append(text, indent...), a, c.after, indent)
		text = append(append(text, ','), s.style.LineEnd...)
	}
	s.replace(line, line, text)
}

// removeFlow removes some of the children: their lines, if they have lines of their own, or what is between them and the
// next one as well, or, if there is none, the one before.
func (s *splicer) removeFlow(b *node.Node, first, last int) error {
	mark := len(s.edits)
	for i := first; ; i++ {
		below, ok := s.belowFlow(b, i)
		if !ok || s.commentIn(flowEnd(b, i), below) != nil {
			s.edits = s.edits[:mark]
			break
		}
		s.replace(s.Start(flowStart(b, i)), below, nil)
		if i == last {
			return nil
		}
	}
	start, end := flowStart(b, first), flowEnd(b, last)
	switch {
	case last+1 < b.Children():
		next := flowStart(b, last+1)
		s.replace(start, next, nil)
		return s.commentIn(end, next)
	case first > 0:
		before := flowEnd(b, first-1)
		s.replace(before, end, nil)
		return s.commentIn(before, start)
	}
	return errors.New("nothing would be left in brackets")
}

// flowStart returns the offset of a child in brackets.
func flowStart(b *node.Node, i int) int { return int(head(b, i).Start) }

// flowEnd returns the offset behind a child in brackets, without its comma.
func flowEnd(b *node.Node, i int) int { return max(childEnd(b, i), int(head(b, i).End)) }

// flowStyle returns the style of collections in brackets: that of the document if it is JSON or KYAML, as its first pair
// shows.
func (s *splicer) flowStyle() (style emit.FlowStyle) {
	if s.root.Style&node.FlowStyle == 0 || s.root.Kind != node.MappingNode || len(s.root.Content) == 0 {
		return style
	}
	key, value := s.root.Content[0], s.root.Content[1]
	indent := ""
	if start := int(key.Start); s.beginsLine(start) {
		indent = strings.TrimPrefix(s.lineIndent(start), s.lineIndent(int(s.root.End)-1))
	}
	style.JSON = key.Style&node.DoubleQuotedStyle != 0
	style.Tight = style.JSON && value.Start == key.End+1
	style.KYAML = !style.JSON && indent != "" && value.Style&node.DoubleQuotedStyle != 0
	if len(indent) <= widest && (style.JSON || style.KYAML) {
		style.Indent = indent
	}
	return style
}
