package splice

import (
	"bytes"
	"errors"

	"go.yaml.in/yaml/v3"
)

// blockValue writes a value anew behind its key or dash. A comment on the line of the key
// stays there.
func (s *splicer) blockValue(parent, b, a *yaml.Node) error {
	e := s.Get(b)
	first, body := s.written(parent, b, a)
	switch {
	case isBlockCollection(b):
		return s.replaceBlockCollection(b, first, body)
	case b.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		header := e.Content + 1
		for header < len(s.text) && bytes.IndexByte([]byte("+-123456789"), s.text[header]) >= 0 {
			header++
		}
		if !s.onOneLine(e.Lead, e.Content) {
			return errBehindLine
		}
		s.replace(e.Lead+1, header, first)
		s.replaceLines(s.Next(header), max(e.End, s.Next(header)), body)
	case len(body) > 0:
		return s.replaceByLines(b, first, body)
	case e.Start == e.End:
		s.insert(e.Lead+1, first)
	case len(first) == 0:
		if s.holdsComment(e.Lead+1, e.Content) {
			return errComment
		}
		s.remove(e.Lead+1, e.End)
	default:
		s.replace(e.Start, e.End, bytes.TrimLeft(first, " "))
	}
	return nil
}

var (
	errBehindLine = errors.New("a value begins on another line than its key")
	errComment    = errors.New("a comment stands between a key and its value")
)

// replaceByLines replaces what is no block collection by one. An anchor stays, unless an alias
// refers to it, and so do the comments above a value that has lines of its own.
func (s *splicer) replaceByLines(b *yaml.Node, first, body []byte) error {
	e := s.Get(b)
	start, value := e.Lead+1, e.Start
	if _, isShared := s.shared[b]; b.Anchor != "" && b.Style&yaml.TaggedStyle == 0 && !isShared {
		value = e.Content
		start = e.Start + len(bytes.TrimRight(s.text[e.Start:value], " \t\r\n"))
	}
	if e.End > value && len(first) == 0 && s.beginsLine(value) && s.blankAt(e.End) {
		s.replaceLines(s.Start(value), s.Next(e.End), body)
		return nil
	}
	if s.holdsComment(start, e.Content) {
		return errComment
	}
	s.replace(start, max(start, e.End), first)
	s.replaceLines(s.Next(e.End), s.Next(e.End), body)
	return nil
}

// written is the text behind the colon or dash: the rest of that line, and the lines below.
func (s *splicer) written(parent, b, a *yaml.Node) (first, body []byte) {
	e := s.Get(b)
	style := s.styleAt(s.behindLine(e.End), s.style)
	var text []byte
	if parent.Kind == yaml.MappingNode {
		near := s.near(parent)
		near.NoBlockScalars = style.NoBlockScalars
		text = near.Value(nil, a, s.Column(s.childStart(parent, 0)))
	} else {
		text = style.EntryValue(nil, a, s.Column(e.Lead))
	}
	first, body, _ = bytes.Cut(text, []byte(style.LineEnd))
	return first, body
}

func (s *splicer) onOneLine(a, b int) bool { return s.Start(a) == s.Start(b) }

// replaceLines replaces whole lines, which may be none, by others.
func (s *splicer) replaceLines(start, end int, lines []byte) {
	switch {
	case start == end && len(lines) > 0:
		s.insertLines(start, lines)
	case len(lines) == 0:
		s.remove(start, end)
	case s.openEnded(end):
		s.replace(start, end, lines)
	default:
		s.replace(start, end, append(lines, s.style.LineEnd...))
	}
}

// replaceBlockCollection replaces the lines of a collection. The comments between its key and
// its first line stay.
func (s *splicer) replaceBlockCollection(b *yaml.Node, first, body []byte) error {
	e := s.Get(b)
	if e.Content != e.Start {
		return errors.New("a value with an anchor or a tag is replaced")
	}
	end := s.behindLine(e.End)
	start := s.childStart(b, 0)
	if !s.beginsBehind(start) {
		if len(first) > 0 {
			s.insert(e.Lead+1, first)
		}
		s.replaceLines(s.Start(start), end, body)
		return nil
	}
	text := first
	if len(body) > 0 {
		text = append(append(text, s.style.LineEnd...), body...)
	}
	if !s.openEnded(end) {
		text = append(text, s.style.LineEnd...)
	}
	s.replace(e.Lead+1, end, text)
	return nil
}
