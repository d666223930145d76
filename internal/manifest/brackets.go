package manifest

import "bytes"

// quotedEnd is the offset behind the closing quote of the scalar at the offset, or -1.
func (s *scanner) quotedEnd(at int) int {
	if s.text[at] == '\'' {
		return s.singleQuotedEnd(at)
	}
	closing := at // the next quote, which an escape may turn out to stand before
	for at++; at <= s.end; {
		if closing < at {
			i := bytes.IndexByte(s.text[at:s.end], '"')
			if i < 0 {
				return -1
			}
			closing = at + i
		}
		escape := bytes.IndexByte(s.text[at:closing], '\\')
		if escape < 0 {
			return closing + 1
		}
		at += escape + 2
	}
	return -1
}

func (s *scanner) singleQuotedEnd(at int) int {
	for at++; at < s.end; {
		i := bytes.IndexByte(s.text[at:s.end], '\'')
		if i < 0 {
			return -1
		}
		at += i + 1
		if at == s.end || s.text[at] != '\'' {
			return at
		}
		at++
	}
	return -1
}

// flowEnd is the offset behind the quoted scalar or the collection in brackets at the
// offset, or -1.
func (s *scanner) flowEnd(at int) int {
	if c := s.text[at]; c == '"' || c == '\'' {
		return s.quotedEnd(at)
	}
	depth := 0
	for at < s.end {
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

// flowToken is the offset behind whatever stands inside brackets at the offset, other than a
// bracket, or -1.
func (s *scanner) flowToken(at int) int {
	switch c := s.text[at]; c {
	case ' ', '\t', '\n', '\r', ',', ':', '?':
		return at + 1
	case '"', '\'':
		return s.quotedEnd(at)
	case '#':
		return s.lineEnd(at)
	case '&', '!', '*':
		return s.flowWordEnd(at)
	}
	return s.flowPlainEnd(at)
}

// flowWordEnd is the offset behind an anchor, a tag or an alias inside brackets.
func (s *scanner) flowWordEnd(at int) int {
	for at++; !s.blankAt(at); at++ {
		switch s.text[at] {
		case ',', '[', ']', '{', '}':
			return at
		}
	}
	return at
}

// flowPlainEnd is the offset behind a plain scalar inside brackets, which may hold blanks,
// line breaks and quotes.
func (s *scanner) flowPlainEnd(at int) int {
	for ; at < s.end; at++ {
		switch s.text[at] {
		case ',', '?', '[', ']', '{', '}':
			return at
		case ':':
			if s.blankAt(at + 1) {
				return at
			}
		case '#':
			if s.blankAt(at - 1) {
				return at
			}
		}
	}
	return at
}

// skipSpace passes over blanks, line breaks and comments inside brackets.
func (s *scanner) skipSpace(at int) int {
	for at < s.end {
		switch c := s.text[at]; {
		case isBlank(c) || isBreak(c):
			at++
		case c == '#' && s.blankAt(at-1):
			at = s.lineEnd(at)
		default:
			return at
		}
	}
	return at
}
