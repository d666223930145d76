package splice

import (
	"bytes"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

// restoreValue writes a value as it was written once, which is all that stood behind its colon or
// dash: on that line, or on lines of its own.
func (s *splicer) restoreValue(parent, b, a *yaml.Node) error {
	e := s.Get(b)
	text, below := s.cutBelow(a, s.whole(parent, b, a))
	above, value := s.ownLines(text)
	first, body := text, []byte(nil)
	if isBlockScalar(a) {
		first, body, _ = bytes.Cut(text, []byte(s.style.LineEnd))
	}
	start := s.behindAnchor(b)
	switch {
	case isBlockCollection(b):
		lines, end := s.Start(s.childStart(b, 0)), s.Behind(e.End)
		if isBlockCollection(a) || len(above) > 0 && (len(bytes.TrimSpace(above)) > 0 || !s.commentBehind(start)) {
			first, body = nil, value
		}
		if lines < start {
			return errBehindLine
		}
		if at := s.aboveSame(lines, below); at < lines && first == nil {
			s.insertLines(at, body)
			body = nil
		}
		s.insert(start, first)
		s.replaceLines(lines, end, body)
	case isBlockCollection(a):
		if s.holdsComment(start, e.Content) {
			return errComment
		}
		if isBlockScalar(b) {
			header := lex.ReadBlockHeader(s.text, e.Content).End
			s.remove(start, header)
			s.replaceLines(s.Next(header), max(e.End, s.Next(header)), value)
			return nil
		}
		s.remove(start, e.End)
		s.insertLines(s.belowSame(s.Next(e.End), above), value)
	case isBlockScalar(b):
		header := lex.ReadBlockHeader(s.text, e.Content).End
		s.replace(start, header, first)
		s.replaceLines(s.Next(header), max(e.End, s.Next(header)), body)
	case s.holdsComment(start, e.Content) && !bytes.HasPrefix(text, s.text[start:s.Start(e.Content)]):
		s.replace(e.Content, e.End, bytes.TrimLeft(value, " "))
	default:
		s.replace(start, max(start, e.End), first)
		s.replaceLines(s.Next(e.End), s.Next(e.End), body)
	}
	return nil
}

// replaceEntry writes an entry of a list in the place of another and its comments.
func (s *splicer) replaceEntry(b *yaml.Node, text []byte) {
	start, end := s.behindAnchor(b), s.entryEnd(b)
	s.goes(start, end)
	if s.Start(end) == end && !s.openEnded(end) {
		text = append(text, s.style.LineEnd...)
	}
	s.replace(start, end, text)
}

// entryEnd returns the line behind an entry of a list. The comments right below that stand deeper than its
// dash belong to it, unless it was put in: then somebody else's come after it.
func (s *splicer) entryEnd(b *yaml.Node) int {
	end := s.Behind(s.Get(b).End)
	if s.bare != nil && !s.bare[node.IdentityOf(b)] {
		return end
	}
	return s.BehindComments(end, s.Column(s.Get(b).Lead))
}

// ownLines cuts a text at the line that its value begins on: what stands above that, which is empty
// where the value stands behind its key, and the rest.
func (s *splicer) ownLines(text []byte) (above, value []byte) {
	at := 0
	for {
		line, _, found := bytes.Cut(text[at:], []byte(s.style.LineEnd))
		line = bytes.TrimLeft(line, " ")
		if !found || len(line) > 0 && line[0] != '#' {
			return text[:at], text[at:]
		}
		at += bytes.Index(text[at:], []byte(s.style.LineEnd)) + len(s.style.LineEnd)
	}
}

// belowSame returns the line behind those that say what a text does below its first line.
func (s *splicer) belowSame(line int, text []byte) int {
	_, text, _ = bytes.Cut(text, []byte(s.style.LineEnd))
	for same := range bytes.Lines(text) {
		if line >= len(s.text) || !bytes.Equal(bytes.TrimSpace(s.text[line:s.End(line)]), bytes.TrimSpace(same)) {
			break
		}
		line = s.Next(line)
	}
	return line
}

// behindAnchor returns where the value of a key or a dash is written: behind the anchor that stays.
func (s *splicer) behindAnchor(b *yaml.Node) int {
	e := s.Get(b)
	if s.keepsAnchor(b) && s.onOneLine(e.Lead, e.Start) {
		return e.Start + len("&"+b.Anchor)
	}
	return e.Lead + 1
}

func isBlockScalar(n *yaml.Node) bool { return n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 }
