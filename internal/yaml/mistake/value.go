package mistake

import (
	"bytes"
	"strings"

	"pillion.dev/pillion/internal/yaml/lex"
)

// value reads a value that begins on the line. Parent is the column of its key or dash. It returns the start of the line behind it.
func (s *scanner) value(at, parent int) (next int, found *fault) {
	at = s.skipProperties(at)
	if lex.RestIsBlank(s.text, at) {
		s.open = true
		return lex.NextLine(s.text, at), nil
	}
	switch c := s.text[at]; c {
	case '"', '\'':
		return s.quoted(at)
	case '{', '[':
		end, found := s.flow(at, parent)
		if found != nil || s.unsure {
			return end, found
		}
		return s.behindBracket(end)
	case '|', '>':
		return s.blockScalar(at, parent)
	case '*':
		return s.alias(at)
	case '@', '`', '%':
		return at, faultf(at, "a value cannot begin with %c; put the value in quotes", c)
	case ']', '}', ',':
		return at, closingFault(at, c)
	case '-', '?', ':':
		if lex.IsSpaceAt(s.text, at+1) {
			if c == '-' && parent >= 0 {
				return at, faultf(at, "a list cannot begin on the line of its key; begin it on the next line, "+
					"or put the value in quotes")
			}
			s.unsure = true
			return at, nil
		}
	}
	return s.plain(at, parent)
}

func closingFault(at int, c byte) *fault {
	if c == ',' {
		return faultf(at, "a value cannot begin with a comma; remove the comma, or put the value in quotes")
	}
	return faultf(at, "there is no opening bracket for this %c; remove it, or put the value in quotes", c)
}

func (s *scanner) quoted(at int) (next int, found *fault) {
	end := lex.QuotedEnd(s.text, at)
	if end < 0 {
		return at, s.quoteFault(at)
	}
	if found := s.escapes(at, end); found != nil {
		return at, found
	}
	if lex.RestIsBlank(s.text, end) {
		return lex.NextLine(s.text, end), nil
	}
	if bytes.IndexByte(s.text[at:end], '\n') >= 0 {
		return at, s.quoteFault(at) // what closes it is probably the opening quote of another value
	}
	if s.text[at] == '\'' {
		return at, faultf(lex.SkipBlanks(s.text, end), "text follows the closing quote; "+
			"write '' for a quote inside of single quotes, or put all of the value in double quotes")
	}
	return at, faultf(lex.SkipBlanks(s.text, end), "text follows the closing quote; put all of the value in quotes")
}

func (s *scanner) quoteFault(at int) *fault {
	return faultf(at, "the quote %c that begins here is not closed; add the closing quote", s.text[at])
}

// escapes reports an escape that YAML does not know, in double quotes.
func (s *scanner) escapes(at, end int) *fault {
	if s.text[at] != '"' {
		return nil
	}
	for i := at + 1; i+1 < end; i++ {
		if s.text[i] != '\\' {
			continue
		}
		if c := s.text[i+1]; strings.IndexByte("0abt\tnvfre \"'/\\N_LPxuU\r\n", c) < 0 && c < 0x80 {
			return faultf(i, `\%c is not an escape of YAML; write \\%[1]c, or use single quotes`, c)
		}
		i++
	}
	return nil
}

func (s *scanner) behindBracket(end int) (next int, found *fault) {
	if lex.RestIsBlank(s.text, end) {
		return lex.NextLine(s.text, end), nil
	}
	at := lex.SkipBlanks(s.text, end)
	if s.text[at] == ':' {
		s.unsure = true // a collection as a key
		return at, nil
	}
	return at, faultf(at, "text follows the closing %c; put all of the value in quotes, or remove that text", s.text[end-1])
}

func (s *scanner) blockScalar(at, parent int) (next int, found *fault) {
	header := lex.ReadBlockHeader(s.text, at)
	if !lex.RestIsBlank(s.text, header.End) {
		return at, faultf(at, "%c begins a text on the following lines, and nothing else may be on its line; put the value in quotes, "+
			"or begin its text on the next line", s.text[at])
	}
	end := lex.BlockScalarEnd(s.text, at, parent)
	first := lex.NextLine(s.text, at)
	for s.scalar = 0; first+s.scalar < end && s.text[first+s.scalar] == ' '; {
		s.scalar++
	}
	return end, nil
}

func (s *scanner) alias(at int) (next int, found *fault) {
	end := lex.NameEnd(s.text, at+1)
	if end == at+1 || !lex.IsSpaceAt(s.text, end) {
		return at, aliasFault(at)
	}
	s.unsure = !lex.RestIsBlank(s.text, end)
	return lex.NextLine(s.text, end), nil
}

// plain reads a plain scalar, which may continue on deeper lines.
func (s *scanner) plain(at, parent int) (next int, found *fault) {
	end := lex.PlainEnd(s.text, at, false)
	if s.isIndicator(end, ':') {
		return at, faultf(end, `the value contains ": ", which makes %q another key; put the value in quotes, `+
			"or remove the space after the colon", brief(s.text[at:end]))
	}
	for {
		if end < len(s.text) && s.text[end] == '#' {
			return lex.NextLine(s.text, end), nil
		}
		begin := s.nextContent(end)
		line, column := 1+bytes.LastIndexByte(s.text[:begin], '\n'), 0
		for line+column < begin && s.text[line+column] == ' ' {
			column++
		}
		switch {
		case begin == len(s.text):
			return begin, nil
		case s.text[begin] == '#':
			return line, nil
		case column <= parent && line+column < begin:
			return line, tabFault(line + column)
		case column <= parent, column == 0 && lex.IsMarkerAt(s.text, line):
			return line, nil
		}
		end = lex.PlainEnd(s.text, begin, false)
		if s.isIndicator(end, ':') {
			return line, s.keyBelowValue(at, begin, end)
		}
	}
}

// nextContent returns the offset of the next character that is neither a blank nor a line break.
func (s *scanner) nextContent(at int) int {
	for at < len(s.text) && (lex.IsBlank(s.text[at]) || lex.IsBreak(s.text[at])) {
		at++
	}
	return at
}

// keyBelowValue returns the mistake of a key on a line that YAML reads as the continuation of a plain value. If the value is on a
// line of its own, it is probably a key without a colon.
func (s *scanner) keyBelowValue(value, key, keyEnd int) *fault {
	start := 1 + bytes.LastIndexByte(s.text[:value], '\n')
	if len(bytes.TrimLeft(s.text[start:value], " ")) == 0 && value-start == key-(1+bytes.LastIndexByte(s.text[:key], '\n')) {
		return s.wordFault(value)
	}
	if first := start + len(s.text[start:value]) - len(bytes.TrimLeft(s.text[start:value], " ")); !lex.IsSpaceAt(s.text, first+1) {
		if found := dashFault(s.text, first); found != nil {
			return found
		}
	}
	if tab := bytes.IndexByte(s.text[1+bytes.LastIndexByte(s.text[:key], '\n'):key], '\t'); tab >= 0 {
		return tabFault(1 + bytes.LastIndexByte(s.text[:key], '\n') + tab)
	}
	line, _ := position(s.text, value)
	return faultf(key, "the key %q cannot follow here, because line %d ends in the value %q; indent it like the key that it belongs beside, "+
		"or remove that value", brief(s.text[key:keyEnd]), line, brief(s.text[value:lex.PlainEnd(s.text, value, false)]))
}
