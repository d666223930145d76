package splice

import (
	"bytes"
	"math"
	"slices"

	"pillion.dev/pillion/internal/yaml/emit"
	"pillion.dev/pillion/internal/yaml/node"
)

// flowUnits writes the new children of a collection in brackets.
func (s *splicer) flowUnits(b, a *node.Node, changes []change) [][]byte {
	style := s.flowStyle(b)
	indent := string(s.lineIndent(s.content(b))) + style.Flow.Unit
	units := make([][]byte, len(changes))
	for i, c := range changes {
		if a.Kind == node.MappingNode {
			units[i] = style.FlowPair(nil, a.Content[2*c.after], a.Content[2*c.after+1], indent)
		} else {
			units[i] = style.FlowValue(nil, a.Content[c.after], indent)
		}
	}
	return units
}

// insertFlow inserts children before the one at the index, or at the end.
func (s *splicer) insertFlow(b *node.Node, index int, units [][]byte) {
	switch count := children(b); {
	case count == 0:
		s.fillFlow(b, units)
		return
	case index == count:
		s.appendFlow(b, units)
		return
	}
	start := flowStart(b, index)
	separator := s.separator(b, start)
	text := append(bytes.Join(units, append([]byte{','}, separator...)), ',')
	if !s.beginsLine(start) {
		s.insert(start, append(text, separator...))
		return
	}
	floor := s.Next(s.content(b))
	if index > 0 {
		end := flowEnd(b, index-1)
		floor = s.Next(max(end, s.comma(end)))
	}
	above := s.aboveComments(s.Start(start), floor, math.MaxInt)
	s.replaceLines(above, above, slices.Concat(s.lineIndent(start), text))
}

// fillFlow puts children between empty brackets, below the comments there.
func (s *splicer) fillFlow(b *node.Node, units [][]byte) {
	style := s.flowStyle(b)
	at := s.content(b) + 1
	if closing := int(b.End) - 1; s.holdsComment(at, closing) {
		indent := append(bytes.Clone(s.lineIndent(closing)), "  "...)
		separator := append([]byte(","+style.LineEnd), indent...)
		s.replaceLines(s.Start(closing), s.Start(closing), append(indent, bytes.Join(units, separator)...))
		return
	}
	if !style.Flow.Lines {
		s.insert(at, bytes.Join(units, append([]byte{','}, s.separator(b, at)...)))
		return
	}
	indent := append([]byte(style.LineEnd), s.lineIndent(at)...)
	inner := append(bytes.Clone(indent), style.Flow.Unit...)
	text := append(bytes.Clone(inner), bytes.Join(units, append([]byte{','}, inner...))...)
	s.insert(at, append(text, indent...))
}

// appendFlow puts children behind the last one. If that has a comma, the new last one gets one too; a comment behind it stays.
func (s *splicer) appendFlow(b *node.Node, units [][]byte) {
	last := children(b) - 1
	end := flowEnd(b, last)
	separator := s.separator(b, flowStart(b, last))
	at, comma := end, s.comma(end)
	if comma >= 0 {
		at = comma + 1
	}
	if s.commentBehind(at) {
		separator = emit.Spaces([]byte(s.style.LineEnd), s.Column(flowStart(b, 0)))
	}
	text := append(bytes.Clone(separator), bytes.Join(units, append([]byte{','}, separator...))...)
	if comma >= 0 {
		text = append(text, ',')
	} else {
		s.insert(end, []byte{','})
	}
	if ownLines := len(separator) > 1; ownLines { // without it, the line may be long, and there may be many such lists on it
		if lineEnd := s.End(at); lineEnd < int(b.End) {
			at = lineEnd
		}
	}
	s.insert(at, text)
}

// removeFlow removes children with one comma, and with their lines if they have their own.
func (s *splicer) removeFlow(b *node.Node, first, last int) {
	start, end := flowStart(b, first), flowEnd(b, last)
	s.removeNode(start, end)
	comma := s.comma(end)
	switch {
	case last+1 < children(b):
		next := flowStart(b, last+1)
		switch ownLines := s.beginsLine(start) && s.beginsLine(next) && s.onOneLine(end, comma); {
		case ownLines && !s.commentBehind(comma+1):
			s.remove(s.Start(start), s.Next(comma))
		case s.holdsComment(end, next): // which stays
			s.remove(start, end)
			s.remove(comma, comma+1+len(s.blanksAt(comma+1)))
		default:
			s.remove(start, next)
		}
	case first == 0:
		s.emptyFlow(b, start, max(end, comma+1))
	default:
		before := s.comma(flowEnd(b, first-1))
		if comma >= 0 {
			end = comma + 1
		} else {
			s.remove(before, before+1)
		}
		from := before + 1
		if s.beginsLine(start) {
			from = max(from, s.End(s.Start(s.Start(start)-1)))
		}
		s.remove(from, end)
	}
}

// emptyFlow removes all children. Brackets on lines of their own are joined, unless comments are between them.
func (s *splicer) emptyFlow(b *node.Node, start, end int) {
	opening, closing := s.content(b)+1, int(b.End)-1
	around := len(bytes.TrimSpace(s.text[opening:start])) + len(bytes.TrimSpace(s.text[end:closing]))
	switch {
	case !s.beginsLine(start):
	case around == 0:
		start, end = opening, closing
	case s.IsBlank(end):
		start, end = s.Start(start), s.Next(end)
	}
	s.remove(start, end)
}
