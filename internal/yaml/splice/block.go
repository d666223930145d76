package splice

import (
	"bytes"
	"errors"
	"slices"

	"pillion.dev/pillion/internal/yaml/emit"
	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

// insertBlock inserts new children, on lines of their own, before the child at the index, or at the end.
func (s *splicer) insertBlock(b *node.Node, index int, a *node.Node, changes []change) {
	column := s.Column(s.childStart(b, 0))
	if index < children(b) {
		s.insertAbove(b, index, s.blockLines(a, changes, column, s.styleIn(b)), column)
		return
	}
	at := s.tail(b, column)
	s.replaceLines(at, at, s.blockLines(a, changes, column, s.styleAt(at, s.styleIn(b))))
}

// styleIn returns the style for new children of a collection.
func (s *splicer) styleIn(b *node.Node) emit.Style {
	if b.Kind == node.MappingNode {
		return s.near(b)
	}
	return s.style
}

// blockLines writes the new children of a collection as lines at a column. The lines are valid until the next call.
func (s *splicer) blockLines(a *node.Node, changes []change, column int, style emit.Style) []byte {
	text := s.lines[:0]
	for i, c := range changes {
		if i > 0 {
			text = append(text, style.LineEnd...)
		}
		text = emit.Spaces(text, column)
		if a.Kind == node.MappingNode {
			text = style.Pair(text, a.Content[2*c.after], a.Content[2*c.after+1], column)
		} else {
			text = style.Entry(text, a.Content[c.after], column)
		}
	}
	s.lines = text
	return text
}

// insertAbove inserts lines before a child and the comments that describe it.
func (s *splicer) insertAbove(b *node.Node, i int, lines []byte, column int) {
	start := s.childStart(b, i)
	if s.BeginsBehind(start) {
		s.insert(start, emit.Spaces(slices.Concat(lines[column:], []byte(s.style.LineEnd)), column))
		return
	}
	at := s.above(b, i, column)
	s.replaceLines(at, at, lines)
}

// above returns the line above a child and the comments that describe it.
func (s *splicer) above(b *node.Node, i, column int) int {
	at := s.Start(s.childStart(b, i))
	floor := 0
	if i > 0 {
		floor = s.Behind(childEnd(b, i-1))
	}
	if s.wasAdded(head(b, i)) {
		return at
	}
	return s.aboveComments(at, floor, column)
}

// tail returns the line at which lines are added to the end of a collection: behind its last child and the comments that belong
// to the collection. A comment does if it is as deep as the children and what follows is less deep than the comment. Below a
// compact list, the next key is as deep: there the comments right below the last child belong to the list if a blank line
// separates them from that key.
func (s *splicer) tail(b *node.Node, column int) int {
	tail := s.Behind(childEnd(b, children(b)-1))
	following := s.followingIndent(tail)
	if following == column {
		tail = s.separateComments(tail, column)
	}
	for line := tail; line < len(s.text); line = s.Next(line) {
		indent, comment := s.Comment(line)
		switch {
		case comment && indent >= column && indent > following:
			tail = s.Next(line)
		case !comment && !s.IsBlank(line):
			return tail
		}
	}
	return tail
}

// separateComments returns the line behind the comments from a line on if a blank line follows them, and
// the line itself otherwise.
func (s *splicer) separateComments(line, column int) int {
	end := line
	for end < len(s.text) {
		if indent, comment := s.Comment(end); !comment || indent < column {
			break
		}
		end = s.Next(end)
	}
	if end < len(s.text) && s.IsBlank(end) {
		return end
	}
	return line
}

// followingIndent returns the indentation of the next line with content, or -1 if none follows.
func (s *splicer) followingIndent(line int) int {
	for ; line < len(s.text); line = s.Next(line) {
		indent, comment := s.Comment(line)
		if comment || s.IsBlank(line) {
			continue
		}
		if lex.IsMarkerAt(s.text, line) {
			return -1
		}
		return indent
	}
	return -1
}

// removeChildren removes children one by one, because the comments between them stay.
func (s *splicer) removeChildren(b *node.Node, first, last int) error {
	if s.BeginsBehind(s.childStart(b, first)) {
		return s.removeLines(b, first, last)
	}
	for i := first; i <= last; i++ {
		if err := s.removeLines(b, i, i); err != nil {
			return err
		}
	}
	return nil
}

// removeLines removes children with the comments inside of them. Comments above them stay, because they may be about more
// than the child.
func (s *splicer) removeLines(b *node.Node, first, last int) error {
	start := s.childStart(b, first)
	end := s.Behind(childEnd(b, last))
	if b.Kind == node.SequenceNode {
		end = s.entryEnd(b.Content[last], s.Column(s.childStart(b, last)))
	}
	s.removeNode(start, end)
	if !s.BeginsBehind(start) {
		s.remove(s.Start(start), end)
		return nil
	}
	if last+1 == children(b) {
		return errors.New("nothing would be left behind a dash")
	}
	next := s.childStart(b, last+1)
	if len(bytes.TrimSpace(s.text[end:next])) > 0 {
		return errors.New("a comment would be lost with the key above it")
	}
	s.remove(start, next)
	return nil
}
