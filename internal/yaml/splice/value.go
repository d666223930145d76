package splice

import (
	"bytes"

	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

// newValue is the text that replaces a value behind its colon or dash.
type newValue struct {
	// first is what follows the colon or dash, and body the lines below it.
	first, body []byte
	// text is both of them, as far as they are not in the text already.
	text []byte
	// isInline reports whether the value begins on the line of its key.
	isInline bool
	// isRestored reports whether the value was written like this before. Then above is the lines with which it began and that
	// hold only comments, and below those with which it ended. They may still be in the text.
	isRestored bool
	above      []byte
	below      [][]byte
}

// replaceValue replaces a value behind its key or dash. Its anchor stays, and so do the comments around it.
func (s *splicer) replaceValue(p place, a *node.Node) {
	v := s.newValue(p, a)
	end := s.Behind(p.end)
	switch b := p.node; {
	case isBlockCollection(b) && s.onOneLine(p.lead, p.content):
		s.replace(p.behind, end, append(v.text, s.style.LineEnd...))
	case isBlockCollection(b):
		lines := s.Start(p.content)
		s.replace(p.behind, p.behind, v.first)
		if at := s.aboveSame(lines, v.below); at < lines && len(v.first) == 0 {
			s.replaceLines(at, at, v.body)
			v.body = nil
		}
		s.replaceLines(lines, end, v.body)
	case isBlockScalar(b):
		header := lex.ReadBlockHeader(s.text, p.content).End
		s.replace(p.behind, header, v.first)
		s.replaceLines(s.Next(header), max(end, s.Next(header)), v.body)
	default:
		s.replaceInline(p, v)
	}
}

// replaceInline replaces a value that is neither a block collection nor a block scalar.
func (s *splicer) replaceInline(p place, v newValue) {
	value := p.start
	if p.behind > p.start { // its anchor stays
		value = p.content
	}
	hasComment := s.holdsComment(p.behind, p.content)
	isNew := !v.isRestored || hasComment && !bytes.HasPrefix(v.text, s.text[p.behind:s.Start(p.content)])
	switch {
	case v.isInline && isNew && value < p.end:
		s.replace(value, p.end, bytes.TrimLeft(v.text[len(v.above):], " "))
		return
	case (hasComment || !v.isRestored && len(v.body) > 0) && len(v.first) == 0 && s.beginsLine(value) && s.IsBlank(p.end):
		s.remove(s.Start(value), s.Next(p.end))
	default:
		s.replace(p.behind, max(p.behind, p.end), v.first)
	}
	below := s.Next(p.end)
	if v.isRestored {
		below = s.belowSame(below, v.above)
	} else {
		below = s.BehindComments(below, s.Column(s.childStart(p.parent, 0)))
	}
	s.replaceLines(below, below, v.body)
}

// newValue returns the text of a new value.
func (s *splicer) newValue(p place, a *node.Node) newValue {
	style := s.styleAt(s.Behind(p.end), s.style)
	var v newValue
	if p.parent.Kind == node.MappingNode {
		near := s.near(p.parent)
		near.NoBlockScalars = style.NoBlockScalars
		v.text = near.Value(nil, a, s.Column(s.childStart(p.parent, 0)))
	} else {
		v.text = style.EntryValue(nil, a, s.Column(p.lead))
	}
	v.first, v.body, _ = bytes.Cut(v.text, []byte(s.style.LineEnd))
	if _, v.isRestored = style.Text(a); !v.isRestored {
		v.isInline = len(v.body) == 0 && len(v.first) > 0
		return v
	}
	v.isInline = !isBlockCollection(a)
	v.text, v.below = s.cutBelow(a, v.text)
	v.above = s.commentLines(v.text)
	hasOwnLines := len(v.above) > 0 && (len(bytes.TrimSpace(v.above)) > 0 || !s.commentBehind(p.behind))
	switch {
	case isBlockCollection(a), isBlockCollection(p.node) && hasOwnLines:
		v.first, v.body = nil, v.text[len(v.above):]
	case !isBlockScalar(a):
		v.first, v.body = v.text, nil
	}
	return v
}

// commentLines returns the lines, blank or with a comment, above the one on which the value in a text begins.
func (s *splicer) commentLines(text []byte) []byte {
	at := 0
	for {
		line, _, found := bytes.Cut(text[at:], []byte(s.style.LineEnd))
		content := bytes.TrimLeft(line, " ")
		if !found || len(content) > 0 && content[0] != '#' {
			return text[:at]
		}
		at += len(line) + len(s.style.LineEnd)
	}
}

// cutBelow cuts off the comments that were below an empty collection. They are still in the text.
func (s *splicer) cutBelow(a *node.Node, text []byte) (value []byte, below [][]byte) {
	if a.Kind == node.ScalarNode || len(a.Content) > 0 {
		return text, nil
	}
	lines := bytes.Split(text, []byte(s.style.LineEnd))
	first := len(lines)
	for first > 1 && bytes.HasPrefix(bytes.TrimLeft(lines[first-1], " "), []byte("#")) {
		first--
	}
	return bytes.Join(lines[:first], []byte(s.style.LineEnd)), lines[first:]
}

// aboveSame returns the first of the lines above a line that are the same as others, or the line itself if they are not.
func (s *splicer) aboveSame(line int, others [][]byte) int {
	at := line
	for i := len(others) - 1; i >= 0; i-- {
		if at == 0 {
			return line
		}
		at = s.Start(at - 1)
		if !s.isLine(at, others[i]) {
			return line
		}
	}
	return at
}

// belowSame returns the line behind those that are the same as the lines of a text below its first.
func (s *splicer) belowSame(line int, text []byte) int {
	_, text, _ = bytes.Cut(text, []byte(s.style.LineEnd))
	for same := range bytes.Lines(text) {
		if line >= len(s.text) || !s.isLine(line, same) {
			break
		}
		line = s.Next(line)
	}
	return line
}

// isLine reports whether a line is the same as another one, except for the blanks around it.
func (s *splicer) isLine(line int, other []byte) bool {
	return bytes.Equal(bytes.TrimSpace(s.text[line:s.End(line)]), bytes.TrimSpace(other))
}

func isBlockScalar(n *node.Node) bool { return n.Style&(node.LiteralStyle|node.FoldedStyle) != 0 }
