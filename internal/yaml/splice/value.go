package splice

import (
	"bytes"
	"math"

	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

// newValue is the text that replaces a value behind its colon or dash.
type newValue struct {
	// text is all of it, first what follows the colon or dash, and body the lines below that.
	text, first, body []byte
	// isInline reports whether the value begins on the line of its key.
	isInline bool
	// isRestored reports whether the value was written like this before. Then above is the lines with which the text begins that are
	// blank or hold only a comment, and below counts the comments that it ended with. These lines stay when a value is replaced.
	isRestored bool
	above      []byte
	below      int
}

// replaceValue replaces a value behind its key or dash. Its anchor stays, and so do the comments around it, except those of an entry
// of a list.
func (s *splicer) replaceValue(p place, a *node.Node) {
	b, v, end := p.node, s.newValue(p, a), s.Behind(p.end)
	if p.parent.Kind == node.SequenceNode && (v.isRestored || b.Kind == node.MappingNode) {
		end = s.childLinesEnd(p.parent, p.child)
		s.removeNode(p.behind, end)
		s.replace(p.behind, end, append(v.text, s.style.LineEnd...))
		return
	}
	s.removeNode(p.content, p.end)
	switch {
	case isBlockCollection(b) && s.onOneLine(p.lead, p.content):
		s.replace(p.behind, end, append(v.text, s.style.LineEnd...))
	case isBlockCollection(b):
		s.replace(p.behind, p.behind, v.first)
		lines := s.Start(p.content)
		at := lines
		for range v.below {
			at = s.aboveComments(at, s.Start(at-1), math.MaxInt)
		}
		s.replaceLines(at, at, v.body)
		s.remove(lines, end)
	case isBlockScalar(b):
		header := lex.ReadBlockHeader(s.Text, p.content).End
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
	isNew := !v.isRestored || hasComment && !bytes.HasPrefix(v.text, s.Text[p.behind:s.Start(p.content)])
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
	if !v.isRestored {
		below = s.BehindComments(below, s.Column(s.childStart(p.parent, 0)))
	}
	_, above, _ := bytes.Cut(v.above, []byte(s.style.LineEnd))
	for line := range bytes.Lines(above) {
		if !bytes.Equal(bytes.TrimSpace(line), bytes.TrimSpace(s.Text[below:lex.LineEnd(s.Text, below)])) {
			break
		}
		below = s.Next(below)
	}
	s.replaceLines(below, below, v.body)
}

// newValue returns the text of a new value.
func (s *splicer) newValue(p place, a *node.Node) newValue {
	style, isEntry := s.styleAt(s.Behind(p.end), s.styleIn(p.parent)), p.parent.Kind == node.SequenceNode
	var v newValue
	if isEntry {
		v.text = style.EntryValue(nil, a, s.Column(p.lead))
	} else {
		v.text = style.Value(nil, a, s.Column(s.childStart(p.parent, 0)))
	}
	v.first, v.body, _ = bytes.Cut(v.text, []byte(s.style.LineEnd))
	if _, v.isRestored = style.Text(a); !v.isRestored || isEntry {
		v.isInline = len(v.body) == 0 && len(v.first) > 0
		return v
	}
	v.isInline = !isBlockCollection(a)
	for len(a.Content) == 0 && a.Kind != node.ScalarNode { // comments below an empty collection
		last := bytes.LastIndex(v.text, []byte(s.style.LineEnd))
		if last < 0 || !bytes.HasPrefix(bytes.TrimLeft(v.text[last+len(s.style.LineEnd):], " "), []byte("#")) {
			break
		}
		v.text = v.text[:last]
		v.below++
	}
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

func isBlockScalar(n *node.Node) bool { return n.Style&(node.LiteralStyle|node.FoldedStyle) != 0 }
