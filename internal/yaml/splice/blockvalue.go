package splice

import (
	"bytes"
	"errors"

	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

var (
	errBehindLine = errors.New("a value begins on another line than its key")
	errComment    = errors.New("a comment is between a key and its value")
)

// blockValue replaces a value behind its key or dash. A comment on the line of the key stays there.
func (s *splicer) blockValue(parent, b, a *node.Node) error {
	e := s.Get(b)
	first, body, _ := bytes.Cut(s.valueText(parent, b, a), []byte(s.style.LineEnd))
	switch {
	case isBlockCollection(b):
		return s.replaceBlockCollection(b, first, body)
	case isBlockScalar(b):
		if !s.onOneLine(e.Lead, e.Content) {
			return errBehindLine
		}
		s.replaceBlockScalar(b, e.Lead+1, first, body)
	case len(body) > 0:
		return s.replaceByLines(parent, b, first, body)
	case e.Content == e.End && s.onOneLine(e.Lead, e.End) && (e.Start == e.End || s.keepsAnchor(b)):
		s.insert(e.End, first)
	case len(first) == 0:
		if s.holdsComment(e.Lead+1, e.Content) {
			return errComment
		}
		s.remove(e.Lead+1, e.End)
	default:
		start := e.Start
		if s.keepsAnchor(b) {
			_, behind := s.Anchor(b)
			start = behind + len(" ")
		}
		s.replace(start, e.End, bytes.TrimLeft(first, " "))
	}
	return nil
}

// valueText returns the text of a value behind the colon or dash.
func (s *splicer) valueText(parent, b, a *node.Node) []byte {
	e := s.Get(b)
	style := s.styleAt(s.Behind(e.End), s.style)
	if parent.Kind != node.MappingNode {
		return style.EntryValue(nil, a, s.Column(e.Lead))
	}
	near := s.near(parent)
	near.NoBlockScalars = style.NoBlockScalars
	return near.Value(nil, a, s.Column(s.childStart(parent, 0)))
}

// keepsAnchor reports whether a node has an anchor that stays when the node is replaced.
func (s *splicer) keepsAnchor(b *node.Node) bool {
	_, isShared := s.shared[b]
	return b.HasAnchor() && b.Style&node.TaggedStyle == 0 && !isShared
}

// replaceByLines replaces a value that is not a block collection by one. An anchor stays, unless an alias refers to it, and so
// do the comments above a value that has lines of its own, and those below that are deeper than its key.
func (s *splicer) replaceByLines(parent, b *node.Node, first, body []byte) error {
	e := s.Get(b)
	start, value := e.Lead+1, e.Start
	if s.keepsAnchor(b) {
		value = e.Content
		_, start = s.Anchor(b)
	}
	below := s.BehindComments(s.Next(e.End), s.Column(s.childStart(parent, 0)))
	if e.End > value && len(first) == 0 && s.beginsLine(value) && s.IsBlank(e.End) {
		if next := s.Next(e.End); below > next {
			s.remove(s.Start(value), next)
			s.insertLines(below, body)
		} else {
			s.replaceLines(s.Start(value), next, body)
		}
		return nil
	}
	if s.holdsComment(start, e.Content) {
		return errComment
	}
	s.replace(start, max(start, e.End), first)
	s.replaceLines(below, below, body)
	return nil
}

// replaceBlockScalar replaces a block scalar, from the start of its value on. A comment behind its header stays.
func (s *splicer) replaceBlockScalar(b *node.Node, start int, first, body []byte) {
	e := s.Get(b)
	header := lex.ReadBlockHeader(s.text, e.Content).End
	s.replace(start, header, first)
	s.replaceLines(s.Next(header), max(e.End, s.Next(header)), body)
}

// replaceBlockCollection replaces the lines of a collection. The comments between its key and its first line stay.
func (s *splicer) replaceBlockCollection(b *node.Node, first, body []byte) error {
	e := s.Get(b)
	if e.Content != e.Start {
		return errors.New("a value with an anchor or a tag is replaced")
	}
	end := s.Behind(e.End)
	start := s.childStart(b, 0)
	if !s.BeginsBehind(start) {
		s.insert(e.Lead+1, first)
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

// replaceLines replaces whole lines, of which there may be none, by others.
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

func isBlockScalar(n *node.Node) bool { return n.Style&(node.LiteralStyle|node.FoldedStyle) != 0 }
