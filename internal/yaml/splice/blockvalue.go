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
func (s *splicer) blockValue(p place, a *node.Node) error {
	b := p.node
	first, body, _ := bytes.Cut(s.valueText(p, a), []byte(s.style.LineEnd))
	switch {
	case isBlockCollection(b):
		return s.replaceBlockCollection(p, first, body)
	case isBlockScalar(b):
		if !s.onOneLine(p.lead, p.content) {
			return errBehindLine
		}
		s.replaceBlockScalar(p, p.lead+1, first, body)
	case len(body) > 0:
		return s.replaceByLines(p, first, body)
	case p.content == p.end && s.onOneLine(p.lead, p.end) && (p.start == p.end || s.keepsAnchor(p.node)):
		s.insert(p.end, first)
	case len(first) == 0:
		if s.holdsComment(p.lead+1, p.content) {
			return errComment
		}
		s.remove(p.lead+1, p.end)
	default:
		start := p.start
		if s.keepsAnchor(p.node) {
			start = p.anchor + len(" ")
		}
		s.replace(start, p.end, bytes.TrimLeft(first, " "))
	}
	return nil
}

// valueText returns the text of a value behind the colon or dash.
func (s *splicer) valueText(p place, a *node.Node) []byte {
	style := s.styleAt(s.Behind(p.end), s.style)
	if p.parent.Kind != node.MappingNode {
		return style.EntryValue(nil, a, s.Column(p.lead))
	}
	near := s.near(p.parent)
	near.NoBlockScalars = style.NoBlockScalars
	return near.Value(nil, a, s.Column(s.childStart(p.parent, 0)))
}

// keepsAnchor reports whether a node has an anchor that stays when the node is replaced.
func (s *splicer) keepsAnchor(b *node.Node) bool {
	_, isShared := s.shared[b]
	return b.HasAnchor() && b.Style&node.TaggedStyle == 0 && !isShared
}

// replaceByLines replaces a value that is not a block collection by one. An anchor stays, unless an alias refers to it, and so
// do the comments above a value that has lines of its own, and those below that are deeper than its key.
func (s *splicer) replaceByLines(p place, first, body []byte) error {
	start, value := p.lead+1, p.start
	if s.keepsAnchor(p.node) {
		value = p.content
		start = p.anchor
	}
	below := s.BehindComments(s.Next(p.end), s.Column(s.childStart(p.parent, 0)))
	if p.end > value && len(first) == 0 && s.beginsLine(value) && s.IsBlank(p.end) {
		if next := s.Next(p.end); below > next {
			s.remove(s.Start(value), next)
			s.replaceLines(below, below, body)
		} else {
			s.replaceLines(s.Start(value), next, body)
		}
		return nil
	}
	if s.holdsComment(start, p.content) {
		return errComment
	}
	s.replace(start, max(start, p.end), first)
	s.replaceLines(below, below, body)
	return nil
}

// replaceBlockScalar replaces a block scalar, from the start of its value on. A comment behind its header stays.
func (s *splicer) replaceBlockScalar(p place, start int, first, body []byte) {
	header := lex.ReadBlockHeader(s.text, p.content).End
	s.replace(start, header, first)
	s.replaceLines(s.Next(header), max(s.Behind(p.end), s.Next(header)), body)
}

// replaceBlockCollection replaces the lines of a collection. The comments between its key and its first line stay.
func (s *splicer) replaceBlockCollection(p place, first, body []byte) error {
	if p.content != p.start {
		return errors.New("a value with an anchor or a tag is replaced")
	}
	end := s.Behind(p.end)
	start := p.content
	if !s.BeginsBehind(start) {
		s.insert(p.lead+1, first)
		s.replaceLines(s.Start(start), end, body)
		return nil
	}
	text := first
	if len(body) > 0 {
		text = append(append(text, s.style.LineEnd...), body...)
	}
	s.replace(p.lead+1, end, append(text, s.style.LineEnd...))
	return nil
}

func isBlockScalar(n *node.Node) bool { return n.Style&(node.LiteralStyle|node.FoldedStyle) != 0 }
