package manifest

import "pillion.dev/pillion/internal/yaml/lex"

// flowEnd returns the offset behind the scalar in quotes or the collection in brackets at the offset, or -1 if it does not end.
func (s *scanner) flowEnd(at int) int {
	if c := s.text[at]; c == '"' || c == '\'' {
		return lex.QuotedEnd(s.text, at)
	}
	depth := 0
	for at < len(s.text) {
		switch s.text[at] {
		case '{', '[':
			depth++
			at++
		case '}', ']':
			depth--
			at++
			if depth == 0 {
				return at
			}
		default:
			if at = s.flowToken(at); at < 0 {
				return -1
			}
		}
	}
	return -1
}

// flowToken returns the offset behind what is inside of brackets at the offset, other than a bracket, or -1.
func (s *scanner) flowToken(at int) int {
	switch c := s.text[at]; c {
	case ' ', '\t', '\n', '\r', ',', ':', '?':
		return at + 1
	case '"', '\'':
		return lex.QuotedEnd(s.text, at)
	case '#':
		return lex.NextLine(s.text, at)
	case '&', '!', '*':
		return lex.WordEnd(s.text, at+1, true)
	}
	return lex.PlainScalarEnd(s.text, at, -1, true)
}
