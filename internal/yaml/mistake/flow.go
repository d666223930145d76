package mistake

import (
	"bytes"

	"pillion.dev/pillion/internal/yaml/lex"
)

// bracket is one that is not closed yet.
type bracket struct {
	at int
	// hasColon is set if a colon came since the last comma, and hasValue if a complete value did.
	hasColon, hasValue bool
}

// flow reads a collection in brackets, and returns the offset behind it. Parent is the column of its key or dash.
func (s *scanner) flow(at, parent int) (end int, found *fault) {
	open := []*bracket{{at: at}}
	for at = lex.SkipSpace(s.text, at+1); at < len(s.text); at = lex.SkipSpace(s.text, at) {
		in := open[len(open)-1]
		switch c := s.text[at]; c {
		case '[', '{':
			if in.hasValue {
				return at, s.commaFault(in, at, parent)
			}
			open = append(open, &bracket{at: at})
			at++
		case ']', '}':
			if c != closing(s.text[in.at]) {
				return at, faultf(in.at, "the bracket %c that begins here is closed by %c; close it by %c first",
					s.text[in.at], c, closing(s.text[in.at]))
			}
			at++
			if open = open[:len(open)-1]; len(open) == 0 {
				return at, nil
			}
			open[len(open)-1].hasValue = true
		default:
			if at, found = s.inBracket(at, in, parent); found != nil || s.unsure {
				return at, found
			}
		}
	}
	return at, s.bracketFault(open[len(open)-1].at)
}

// inBracket reads a comma, a colon or a scalar in brackets, and returns the offset behind it.
func (s *scanner) inBracket(at int, in *bracket, parent int) (next int, found *fault) {
	switch c := s.text[at]; {
	case c == ',':
		in.hasColon, in.hasValue = false, false
		return at + 1, nil
	case c == ':' && in.hasColon && in.hasValue:
		return at, s.commaFault(in, at, parent)
	case c == ':':
		in.hasColon, in.hasValue = true, false
		return at + 1, nil
	case c != '"' && c != '\'':
		return s.plainInFlow(at, in, parent)
	case in.hasValue:
		return at, s.commaFault(in, at, parent)
	}
	end := lex.QuotedEnd(s.text, at)
	if end < 0 {
		return at, s.quoteFault(at)
	}
	in.hasValue = true
	return end, s.escapes(at, end)
}

// plainInFlow reads a plain scalar, an alias, an anchor or a tag in brackets.
func (s *scanner) plainInFlow(at int, in *bracket, parent int) (next int, found *fault) {
	switch c := s.text[at]; c {
	case '&', '!', '?':
		if c == '?' && in.hasValue && !lex.IsSpaceAt(s.text, at-1) {
			return at, faultf(at, "a question mark ends a value in brackets; put the value in quotes")
		}
		s.unsure = true
		return at, nil
	case '*':
		if end := lex.NameEnd(s.text, at+1); end == at+1 || !lex.IsSpaceAt(s.text, end) && !lex.IsFlowIndicator(s.text[end]) {
			return at, aliasFault(at)
		}
	case '@', '`', '%':
		return at, faultf(at, "a value cannot begin with %c; put the value in quotes", c)
	}
	if in.hasValue {
		return at, s.commaFault(in, at, parent)
	}
	for {
		end := max(lex.PlainEnd(s.text, at, true), at+1)
		if in.hasColon && s.isIndicator(end, ':') {
			word := 1 + bytes.LastIndexAny(s.text[:lex.TrimBlanks(s.text, at, end)], " \t\n")
			return at, s.commaFault(in, max(at, word), parent)
		}
		at = s.nextContent(end)
		if at == len(s.text) || at == end || lex.IsFlowIndicator(s.text[at]) || s.text[at] == '#' || s.text[at] == ':' {
			break
		}
	}
	in.hasValue = true
	return at, nil
}

// commaFault returns the mistake of something that follows a complete value: a comma is missing, or the bracket around it is not
// closed if the line begins outside of the brackets.
func (s *scanner) commaFault(in *bracket, at, parent int) *fault {
	start := 1 + bytes.LastIndexByte(s.text[:at], '\n')
	indent := len(s.text[start:]) - len(bytes.TrimLeft(s.text[start:], " "))
	if start > in.at && indent <= max(parent, 0) {
		return s.bracketFault(in.at)
	}
	return faultf(at, "there is no comma between this and what comes before it; add one, or close the bracket %c of line %d",
		s.text[in.at], 1+bytes.Count(s.text[:in.at], []byte{'\n'}))
}

func (s *scanner) bracketFault(at int) *fault {
	return faultf(at, "the bracket %c that begins here is not closed; add %c", s.text[at], closing(s.text[at]))
}

func closing(c byte) byte { return c + 2 } // [ and ], { and } are two apart
