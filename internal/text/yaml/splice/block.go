package splice

import (
	"errors"
	"slices"

	"pillion.dev/pillion/internal/text/yaml/emit"
	"pillion.dev/pillion/internal/text/yaml/lex"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// insertBlock inserts new children, on lines of their own, before the child at the index and the comments that describe
// it, or at the end.
func (s *splicer) insertBlock(b *node.Node, index int, a *node.Node, changes []change) {
	column, style := s.Column(s.childStart(b, 0)), s.styleIn(b)
	if index == b.Children() {
		at := s.tail(b, column)
		s.replace(at, at, s.blockLines(a, changes, column, s.styleAt(at, style)))
		return
	}
	lines, start := s.blockLines(a, changes, column, style), s.childStart(b, index)
	if s.BeginsBehind(start) {
		s.replace(start, start, emit.Spaces(lines[column:], column))
		return
	}
	at := s.above(b, index, start)
	s.replace(at, at, lines)
}

// above returns the line at which lines are inserted before a child that begins one at an offset: above the comments
// that describe the child, unless it was added before.
func (s *splicer) above(b *node.Node, index, start int) int {
	if s.wasAdded(head(b, index)) {
		return s.Start(start)
	}
	floor := 0
	if index > 0 {
		floor = s.Behind(childEnd(b, index-1))
	}
	return s.aboveComments(s.Start(start), floor, s.Column(start))
}

// blockLines writes the new children of a collection as lines at a column.
func (s *splicer) blockLines(a *node.Node, changes []change, column int, style emit.Style) []byte {
	write := func() []byte {
		text := s.lines[:0]
		for _, c := range changes {
			text = append(style.Child(emit.Spaces(text, column), a, c.after, column), style.LineEnd...)
		}
		s.lines = text
		return slices.Clone(text)
	}
	if len(changes) == 1 && a.Kind == node.SequenceNode {
		return s.shared.lines(a.Content[changes[0].after], column, style, write)
	}
	return write()
}

// tail returns the line at which lines are added to the end of a collection: behind its last child and the comments
// that belong to the collection. A comment does if it is as deep as the children and what follows is less deep than the
// comment. Below a compact list, the next key is as deep: there the comments right below the last child belong to the
// list if a blank line separates them from that key.
func (s *splicer) tail(b *node.Node, column int) int {
	tail := s.Behind(childEnd(b, b.Children()-1))
	end, following := tail, -1 // the next line with content, and its indentation
	for ; end < len(s.Text); end = s.Next(end) {
		if indent, isComment := s.Comment(end); !isComment && !s.IsBlank(end) {
			if !lex.IsMarkerAt(s.Text, end) {
				following = indent
			}
			break
		}
	}
	if separate := s.BehindComments(tail, column-1); following == column && s.IsBlank(separate) {
		tail = separate
	}
	for line := tail; line < end; line = s.Next(line) {
		if indent, isComment := s.Comment(line); isComment && indent >= column && indent > following {
			tail = s.Next(line)
		}
	}
	return tail
}

// removeChildren removes children with the comments inside of them. Comments above them stay, because they may be about
// more than the child. If the first one is behind a dash, the next one that stays moves there.
func (s *splicer) removeChildren(b *node.Node, first, last int) error {
	isBehindDash := s.BeginsBehind(s.childStart(b, first))
	if isBehindDash && last+1 == b.Children() {
		return errors.New("nothing would be left behind a dash")
	}
	for i := first; i <= last; i++ {
		start, end := s.childStart(b, i), s.childLinesEnd(b, i)
		if !isBehindDash {
			s.replace(s.Start(start), end, nil)
			continue
		}
		next := s.childStart(b, i+1)
		s.replace(start, next, nil)
		if err := s.commentIn(end, next); err != nil {
			return err
		}
	}
	return nil
}

// childLinesEnd returns the line behind a child. The comments right below an entry of a list that are deeper than its
// dash are part of it, unless it was added before.
func (s *splicer) childLinesEnd(b *node.Node, i int) int {
	end := s.Behind(childEnd(b, i))
	if b.Kind == node.MappingNode || s.wasAdded(head(b, i)) {
		return end
	}
	return s.BehindComments(end, s.Column(s.childStart(b, i)))
}
