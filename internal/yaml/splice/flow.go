package splice

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/yaml/emit"
	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

// insertFlow inserts new children in brackets before the one at the index, or at the end.
func (s *splicer) insertFlow(b *node.Node, index int, a *node.Node, changes []change) {
	style := s.flowStyle(b)
	indent := s.lineIndent(s.content(b)) + style.Flow.Indent
	units := make([]string, len(changes))
	for i, c := range changes {
		units[i] = string(style.FlowChild(nil, a, c.after, indent))
	}
	switch count := b.Children(); {
	case count == 0:
		s.fillFlow(b, units, style)
	case index == count:
		s.appendFlow(b, units, style)
	default:
		start := flowStart(b, index)
		separator := s.separator(start, style)
		text := strings.Join(units, ","+separator) + ","
		if !s.beginsLine(start) {
			s.insert(start, text+separator)
			return
		}
		floor := s.Next(s.content(b))
		if index > 0 {
			end := flowEnd(b, index-1)
			floor = s.Next(max(end, s.comma(end)))
		}
		s.insert(s.aboveComments(s.Start(start), floor, math.MaxInt), s.lineIndent(start)+text+style.LineEnd)
	}
}

// separator returns what follows the comma between children: nothing, a space, or a new line if the child at the offset begins one.
func (s *splicer) separator(start int, style emit.Style) string {
	switch {
	case s.beginsLine(start):
		return style.LineEnd + s.lineIndent(start)
	case style.Flow.Tight:
		return ""
	}
	return " "
}

// fillFlow puts children behind the opening bracket of an empty collection.
func (s *splicer) fillFlow(b *node.Node, units []string, style emit.Style) {
	opening := s.content(b) + 1
	if style.Flow.Indent == "" {
		s.insert(opening, strings.Join(units, ","+s.separator(opening, style)))
		return
	}
	indent := style.LineEnd + s.lineIndent(opening)
	inner := indent + style.Flow.Indent
	s.insert(opening, inner+strings.Join(units, ","+inner)+indent)
}

// appendFlow puts children behind the last one. If that has a comma, the new last one gets one too; a comment behind it stays.
func (s *splicer) appendFlow(b *node.Node, units []string, style emit.Style) {
	last := b.Children() - 1
	end := flowEnd(b, last)
	separator := s.separator(flowStart(b, last), style)
	comma := s.comma(end)
	at := max(end, comma+1)
	if s.commentBehind(at) {
		separator = style.LineEnd + strings.Repeat(" ", s.Column(flowStart(b, 0)))
	}
	text := separator + strings.Join(units, ","+separator)
	if comma >= 0 {
		text += ","
	} else {
		s.insert(end, ",")
	}
	if ownLines := len(separator) > 1; ownLines { // without it, the line may be long, and there may be many such lists on it
		if lineEnd := lex.LineEnd(s.Text, at); lineEnd < int(b.End) {
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
	case last+1 < b.Children():
		next := flowStart(b, last+1)
		switch ownLines := s.beginsLine(start) && s.beginsLine(next) && s.onOneLine(end, comma); {
		case ownLines && !s.commentBehind(comma+1):
			s.remove(s.Start(start), s.Next(comma))
		case s.holdsComment(end, next): // which stays
			s.remove(start, end)
			s.remove(comma, lex.SkipBlanks(s.Text, comma+1))
		default:
			s.remove(start, next)
		}
	case first == 0:
		s.emptyFlow(b, start, max(end, comma+1))
	default:
		before := s.comma(flowEnd(b, first-1))
		if comma < 0 {
			s.remove(before, before+1)
		}
		from := before + 1
		if s.beginsLine(start) {
			from = max(from, lex.LineEnd(s.Text, s.Start(s.Start(start)-1)))
		}
		s.remove(from, max(end, comma+1))
	}
}

// emptyFlow removes all children. Brackets on lines of their own are joined, unless comments are between them.
func (s *splicer) emptyFlow(b *node.Node, start, end int) {
	opening, closing := s.content(b)+1, int(b.End)-1
	around := len(bytes.TrimSpace(s.Text[opening:start])) + len(bytes.TrimSpace(s.Text[end:closing]))
	switch {
	case !s.beginsLine(start):
	case around == 0:
		start, end = opening, closing
	case s.IsBlank(end):
		start, end = s.Start(start), s.Next(end)
	}
	s.remove(start, end)
}

// flowStart returns the offset of a child in brackets.
func flowStart(b *node.Node, i int) int { return int(head(b, i).Start) }

// flowEnd returns the offset behind a child in brackets, without its comma.
func flowEnd(b *node.Node, i int) int { return max(childEnd(b, i), int(head(b, i).End)) }

// flowStyle returns the style of the collection in brackets. An empty one has the style of the whole document.
func (s *splicer) flowStyle(b *node.Node) emit.Style {
	style, shown, inBrackets := s.style, b, s.root.Style&node.FlowStyle != 0
	if len(b.Content) == 0 && inBrackets {
		shown = s.root
	}
	content := s.content(shown)
	text := s.Text[content:shown.End]
	style.Flow = emit.FlowStyle{JSON: usesQuotedKeys(shown), Padded: isPadded(text)}
	style.Flow.Tight = style.Flow.JSON && bytes.IndexByte(text, '\n') < 0 && !bytes.Contains(text, []byte(`": `))
	if len(shown.Content) > 0 && style.Flow.JSON && s.beginsLine(flowStart(shown, 0)) && !slices.ContainsFunc(shown.Content, s.isShort) {
		style.Flow.Indent = strings.TrimPrefix(s.lineIndent(flowStart(shown, 0)), s.lineIndent(int(shown.End)-1))
	}
	if inBrackets && !style.Flow.JSON { // a list of texts has no keys that show it
		style.Flow.JSON = usesQuotedKeys(s.root)
	}
	return style
}

// isPadded reports whether a space follows the brace that a text begins with, and not a comment behind it.
func isPadded(text []byte) bool {
	if text[0] == '[' {
		text = bytes.TrimLeft(text[1:], " ")
	}
	return len(text) > 2 && text[0] == '{' && text[1] == ' ' && bytes.TrimLeft(text[1:], " ")[0] != '#'
}

// isShort reports whether a collection is on one line, and not empty.
func (s *splicer) isShort(n *node.Node) bool {
	return len(n.Content) > 0 && s.onOneLine(s.content(n), int(n.End))
}

// usesQuotedKeys reports whether the keys in brackets are written as in JSON.
func usesQuotedKeys(n *node.Node) bool {
	if n.Kind == node.MappingNode && len(n.Content) > 0 {
		return n.Content[0].Style&node.DoubleQuotedStyle != 0
	}
	return slices.ContainsFunc(n.Content, usesQuotedKeys)
}
