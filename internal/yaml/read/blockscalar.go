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
	// newlines counts the line breaks behind the last line with text. What they become depends on the next line.
	newlines int
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
		s.newlines++
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
			s.end = end
			return true
		}
		s.newLine()
		s.newlines, s.end = 1, s.at
		if !s.breaks(parent) {
			return false
		}
	}
	return true
}

// join writes what separates two lines. A single break between two folded lines is a space, and of several the first one goes away.
func (s *blockText) join(fold bool) {
	if fold && len(s.built) > 0 {
		s.newlines--
		if s.newlines == 0 {
			s.built = append(s.built, ' ')
		}
	}
	s.writeNewlines()
}

func (s *blockText) writeNewlines() {
	for ; s.newlines > 0; s.newlines-- {
		s.built = append(s.built, '\n')
	}
}

// chomp writes the line breaks that the scalar ends with: none, all with a plus, or one.
func (s *blockText) chomp(chomping byte) {
	switch chomping {
	case '-':
		return
	case '+':
		s.end = max(s.end, s.lineStart)
	default:
		s.newlines = min(s.newlines, len(s.built), 1)
	}
	s.writeNewlines()
}
