package splice

import "pillion.dev/pillion/internal/yaml/lex"

// comma returns the offset of the comma behind a child that ends at the offset, or -1.
func (s *splicer) comma(end int) int {
	if at := lex.SkipSpace(s.text, end); at < len(s.text) && s.text[at] == ',' {
		return at
	}
	return -1
}

// blanksAt returns the blanks at an offset.
func (s *splicer) blanksAt(at int) []byte { return s.text[at:lex.SkipBlanks(s.text, at)] }

// lineIndent returns the blanks that the line of the offset begins with.
func (s *splicer) lineIndent(offset int) []byte { return s.blanksAt(s.Start(offset)) }

// beginsLine reports whether only blanks come before the offset on its line, which is not the first of the text.
func (s *splicer) beginsLine(at int) bool {
	return s.Start(at) > 0 && lex.SkipBlanks(s.text, s.Start(at)) >= at
}

// onOneLine reports whether two offsets are on the same line.
func (s *splicer) onOneLine(a, b int) bool { return s.Start(a) == s.Start(b) }

// commentBehind reports whether only a comment follows on the line of the offset.
func (s *splicer) commentBehind(at int) bool {
	at = lex.SkipBlanks(s.text, at)
	return at < len(s.text) && s.text[at] == '#'
}

// holdsComment reports whether there is a comment in a range without scalars.
func (s *splicer) holdsComment(start, end int) bool {
	for at := start; at < end; at++ {
		if s.text[at] == '#' && (at == start || lex.IsCommentAt(s.text, at)) {
			return true
		}
	}
	return false
}

// aboveComments returns the first of the lines right above a line that hold only a comment at most as deep as a column, and are
// not above the floor.
func (s *splicer) aboveComments(line, floor, column int) int {
	for line > floor {
		above := s.Start(line - 1)
		if indent, comment := s.Comment(above); above < floor || !comment || indent > column {
			break
		}
		line = above
	}
	return line
}

// openEnded reports whether the offset is behind a last line without a line end.
func (s *splicer) openEnded(at int) bool { return at == len(s.text) && at > 0 && s.Start(at) != at }
