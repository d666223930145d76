package splice

import (
	"bytes"

	"pillion.dev/pillion/internal/yaml/node"
)

// restoreValue writes a value as it was written before, with everything that was behind its colon or dash: on that line, or on
// lines of its own.
func (s *splicer) restoreValue(p place, a *node.Node) error {
	b, start := p.node, s.behindAnchor(p)
	text, below := s.cutBelow(a, s.valueText(p, a))
	above, value := s.ownLines(text)
	first, body := text, []byte(nil) // behind the colon or dash, and below
	hasOwnLines := len(above) > 0 && (len(bytes.TrimSpace(above)) > 0 || !s.commentBehind(start))
	switch {
	case isBlockCollection(a), isBlockCollection(b) && hasOwnLines:
		first, body = nil, value
	case isBlockScalar(a):
		first, body, _ = bytes.Cut(text, []byte(s.style.LineEnd))
	}
	switch {
	case isBlockCollection(b):
		lines := s.Start(p.content)
		if lines < start {
			return errBehindLine
		}
		if at := s.aboveSame(lines, below); at < lines && first == nil {
			s.replaceLines(at, at, body)
			body = nil
		}
		s.insert(start, first)
		s.replaceLines(lines, s.Behind(p.end), body)
	case isBlockCollection(a) && s.holdsComment(start, p.content):
		return errComment
	case isBlockScalar(b):
		s.replaceBlockScalar(p, start, first, body)
	case s.holdsComment(start, p.content) && !bytes.HasPrefix(text, s.text[start:s.Start(p.content)]):
		s.replace(p.content, p.end, bytes.TrimLeft(value, " "))
	default:
		at := s.Next(p.end)
		if isBlockCollection(a) {
			at = s.belowSame(at, above)
		}
		s.replace(start, max(start, p.end), first)
		s.replaceLines(at, at, body)
	}
	return nil
}

// replaceEntry replaces an entry of a list and its comments.
func (s *splicer) replaceEntry(p place, text []byte) {
	start, end := s.behindAnchor(p), s.entryEnd(p.node, s.Column(p.lead))
	s.removeNode(start, end)
	s.replace(start, end, append(text, s.style.LineEnd...))
}

// entryEnd returns the line behind an entry of a list and the comments right below it that are deeper than its
// dash. If the entry was added before, the comments are not its own.
func (s *splicer) entryEnd(b *node.Node, column int) int {
	end := s.Behind(int(b.End))
	if s.wasAdded(b) {
		return end
	}
	return s.BehindComments(end, column)
}

// behindAnchor returns the offset at which the value behind a key or a dash is written: behind the anchor, if that stays.
func (s *splicer) behindAnchor(p place) int {
	if s.keepsAnchor(p.node) && s.onOneLine(p.lead, p.start) {
		return p.anchor
	}
	return p.lead + 1
}

// ownLines cuts a text at the line on which its value begins. Above is empty if the value begins on the line of its key.
func (s *splicer) ownLines(text []byte) (above, value []byte) {
	at := 0
	for {
		line, _, found := bytes.Cut(text[at:], []byte(s.style.LineEnd))
		content := bytes.TrimLeft(line, " ")
		if !found || len(content) > 0 && content[0] != '#' {
			return text[:at], text[at:]
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
