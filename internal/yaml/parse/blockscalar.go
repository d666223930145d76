package parse

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/lex"
)

// blockScalar reads the literal or folded scalar whose "|" or ">" is at the cursor, and goes
// to the next token. Parent is the column of the collection around it, -1 for none.
func (r *reader) blockScalar(parent int) *yaml.Node {
	n := r.node(yaml.ScalarNode, "!!str", r.at)
	n.Style = yaml.LiteralStyle
	if r.text[r.at] == '>' {
		n.Style = yaml.FoldedStyle
	}
	header := lex.ReadBlockHeader(r.text, r.at)
	r.at = header.End
	r.skipSpaces()
	if !r.atLineEnd() || !r.passLine() {
		return nil
	}
	s := blockText{reader: r, folded: n.Style == yaml.FoldedStyle}
	if header.Indent > 0 {
		s.indent = max(parent, 0) + header.Indent
	}
	if !s.breaks(parent) || !s.lines(parent) {
		return nil
	}
	s.end(header.Chomping)
	n.Value = r.takeBuilt()
	if !r.nextToken() {
		return nil
	}
	return n
}

// passLine goes behind the line, on which at most a comment follows.
func (r *reader) passLine() bool {
	if r.peek(r.at) == '#' {
		return r.skipComment()
	}
	if r.atBreak() {
		r.newLine(r.at)
	}
	return true
}

// blockText joins the lines of a block scalar in the buffer of the reader.
type blockText struct {
	*reader
	folded bool
	// indent is the column of the text, 0 while it is not known.
	indent int
	// broken is set if a break ends the last line, and empty counts the lines without
	// text behind it. What they become depends on the next line.
	broken bool
	empty  int
}

// breaks passes over the indentation of the next line with text, and over the empty lines
// before it. The first time, it sets the indent of the text, which is that of the deepest of these lines.
func (s *blockText) breaks(parent int) bool {
	deepest := 0
	for {
		for (s.indent == 0 || s.at-s.lineStart < s.indent) && s.peek(s.at) == ' ' {
			s.at++
		}
		column := s.at - s.lineStart
		deepest = max(deepest, column)
		if s.peek(s.at) == '\t' && (s.indent == 0 || column < s.indent) {
			return false
		}
		if !s.atBreak() {
			break
		}
		s.newLine(s.at)
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

		size := strings.IndexByte(s.text[s.at:], '\n')
		if size < 0 {
			s.built = append(s.built, s.text[s.at:]...)
			s.at = len(s.text)
			s.broken = false
			break
		}
		line := s.text[s.at : s.at+size]
		s.newLine(s.at + size)
		s.built = append(s.built, strings.TrimSuffix(line, "\r")...)
		s.broken = true
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

// end writes the line breaks that the scalar ends with.
func (s *blockText) end(chomping byte) {
	if chomping != '-' && s.broken {
		s.built = append(s.built, '\n')
	}
	if chomping == '+' {
		s.writeEmpty()
	}
}
