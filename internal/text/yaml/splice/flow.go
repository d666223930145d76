package splice

import (
	"errors"
	"strings"

	"pillion.dev/pillion/internal/text/yaml/emit"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// insertFlow inserts new children in brackets right before the one at the index, or right behind the last one. They
// have lines of their own if that one does.
func (s *splicer) insertFlow(b *node.Node, index int, a *node.Node, changes []change) {
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

// removeFlow removes some of the children, with what is between them and the next one, or, if there is none, the one
// before.
func (s *splicer) removeFlow(b *node.Node, first, last int) error {
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

// flowStyle returns the style of collections in brackets: that of the document if it is JSON.
func (s *splicer) flowStyle() (style emit.FlowStyle) {
	if s.root.Style&node.FlowStyle == 0 || s.root.Kind != node.MappingNode || len(s.root.Content) == 0 {
		return style
	}
	key, value := s.root.Content[0], s.root.Content[1]
	style.JSON = key.Style&node.DoubleQuotedStyle != 0
	style.Tight = style.JSON && value.Start == key.End+1
	if start := int(key.Start); style.JSON && s.beginsLine(start) {
		style.Indent = strings.TrimPrefix(s.lineIndent(start), s.lineIndent(int(s.root.End)-1))
	}
	return style
}
