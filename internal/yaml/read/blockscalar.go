package read

import (
	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

// blockScalar reads the literal or folded scalar whose "|" or ">" is at the cursor, and goes to the next token. Parent is the column
// of the collection around it, -1 for none.
func (r *reader) blockScalar(parent int) *node.Node {
	start, style := r.at, node.LiteralStyle
	if r.text[start] == '>' {
		style = node.FoldedStyle
	}
	header := lex.ReadBlockHeader(r.text, start)
	r.at = header.End
	r.skipBlanks()
	if !r.atLineEnd() {
		return r.fail(start, textBehindBlockHeader, r.text[start])
	}
	if r.peek(r.at) == '#' {
		r.skipComment()
	}
	if r.atBreak() {
		r.newLine()
	}
	s := blockText{reader: r, folded: style == node.FoldedStyle, end: r.at}
	if header.Indent > 0 {
		s.indent = max(parent, 0) + header.Indent
	}
	if !s.breaks(parent) || !s.lines(parent) {
		return nil
	}
	s.chomp(header.Chomping)
	n := r.scalarNode(style, start, string(r.built))
	n.End = int32(s.end)
	if !r.nextToken() {
		return nil
	}
	r.leave(s.indent)
	return n
}

// blockText joins the lines of a block scalar in the buffer of the reader.
type blockText struct {
	*reader
	folded bool
	// indent is the column of the text, 0 while it is not known.
	indent int
	// broken is set if a break ends the last line, and empty counts the lines without text behind it. What they become depends on
	// the next line.
	broken bool
	empty  int
	// end is the offset behind the last line with text.
	end int
}

// breaks passes over the indentation of the next line with text, and over the empty lines before it. The first time, it sets the
// indent of the text, which is that of the deepest of these lines.
func (s *blockText) breaks(parent int) bool {
	deepest := 0
	for {
		for (s.indent == 0 || s.at-s.lineStart < s.indent) && s.peek(s.at) == ' ' {
			s.at++
		}
		column := s.at - s.lineStart
		deepest = max(deepest, column)
		if s.peek(s.at) == '\t' && (s.indent == 0 || column < s.indent) {
			s.unsure = true
			if !lex.RestIsBlank(s.text, s.at) {
				s.fail(s.at, tabIndents)
				return false
			}
		}
		if !s.atBreak() {
			break
		}
		s.newLine()
		s.empty++
	}
	if s.indent == 0 {
		s.indent = max(deepest, parent+1, 1)
	}
	return true
}

// lines reads all lines that are deep enough.
func (s *blockText) lines(parent int) bool {
	s.built = s.built[:0]
	afterBlank := false
	for s.at-s.lineStart == s.indent && s.at < len(s.text) {
		startsBlank := lex.IsBlank(s.text[s.at])
		s.join(s.folded && !afterBlank && !startsBlank)
		afterBlank = startsBlank

		end := lineEnd(s.text, s.at)
		s.built = append(s.built, s.text[s.at:end]...)
		s.at = end
		if end == len(s.text) {
			s.broken, s.end = false, end
			return true
		}
		s.newLine()
		s.broken, s.end = true, s.at
		if !s.breaks(parent) {
			return false
		}
	}
	return true
}

// join writes what separates two lines. A break between two folded lines is a space, or nothing if empty lines follow it.
func (s *blockText) join(fold bool) {
	switch {
	case s.broken && !fold:
		s.built = append(s.built, '\n')
	case s.broken && s.empty == 0:
		s.built = append(s.built, ' ')
	}
	s.writeEmpty()
	s.broken = false
}

func (s *blockText) writeEmpty() {
	for ; s.empty > 0; s.empty-- {
		s.built = append(s.built, '\n')
	}
}

// chomp writes the line breaks that the scalar ends with. With a plus, the empty lines are part of it.
func (s *blockText) chomp(chomping byte) {
	if chomping != '-' && s.broken {
		s.built = append(s.built, '\n')
	}
	if chomping == '+' {
		s.writeEmpty()
		s.end = max(s.end, s.lineStart)
	}
}
