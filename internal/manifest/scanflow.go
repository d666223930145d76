package manifest

import (
	"strings"

	"pillion.dev/pillion/internal/yaml/lex"
)

// flowObject reads the keys of the mapping in braces at the offset, and returns the offset behind
// it. Doc is given for the document's own mapping.
func (s *scanner) flowObject(at int, p *part, doc *document) int {
	s.enter()
	defer s.leave()
	if doc != nil {
		doc.closing = &span{start: at + 1}
	}
	at = lex.SkipSpace(s.text, at+1)
	for !s.unsure && at < len(s.text) && s.text[at] != '}' {
		start := at
		name, value := s.flowKey(at)
		if s.unsure {
			break
		}
		end := value // behind what was read of the value
		switch {
		case name == "apiVersion":
			p.set(&p.apiVersion, s.flowScalar(value))
		case name == "kind":
			p.set(&p.kind, s.flowScalar(value))
		case name == "items":
			end = s.flowItems(value, p)
		case name == "functionConfig" && doc != nil:
			end = s.flowConfig(doc, value)
		case name == "<<":
			s.unsure = true
		}
		at = s.flowValueEnd(end)
		if doc != nil {
			doc.closing.start = at
		}
		if name == "results" && doc != nil {
			s.unsure = s.unsure || doc.results != nil
			doc.results = &span{start, at}
		}
		at = s.skipComma(at)
	}
	if at >= len(s.text) {
		s.unsure = true
		return len(s.text)
	}
	return at + 1
}

// flowItems reads the value of the key "items", and returns the offset behind what it read.
func (s *scanner) flowItems(value int, p *part) int {
	p.unclear = p.unclear || p.itemsSeen
	p.itemsSeen = true
	if s.text[value] == '[' {
		p.hasItems = true
		return s.flowMembers(value, p)
	}
	if !s.isNull(value) {
		p.unclear = true
	}
	return value
}

// flowMembers reads the entries of the list in brackets at the offset, and returns the offset behind it.
func (s *scanner) flowMembers(at int, p *part) int {
	at = lex.SkipSpace(s.text, at+1)
	for !s.unsure && at < len(s.text) && s.text[at] != ']' {
		if s.text[at] != '{' {
			s.unsure = true
			break
		}
		member := part{span: span{start: at}}
		member.end = s.flowObject(at, &member, nil)
		p.members = append(p.members, member)
		at = s.skipComma(member.end)
	}
	if s.unsure || at >= len(s.text) {
		s.unsure = true
		return len(s.text)
	}
	return at + 1
}

// flowKey returns the name of the key at the offset and the offset of its value.
func (s *scanner) flowKey(at int) (name string, value int) {
	name, end := s.flowWord(at)
	if end > 0 {
		value = lex.SkipSpace(s.text, end)
	}
	if name == "" || value >= len(s.text) || s.text[value] != ':' {
		s.unsure = true
		return "", at
	}
	value = lex.SkipSpace(s.text, value+1)
	s.unsure = s.unsure || value >= len(s.text)
	return name, value
}

// flowScalar returns the word or the simple scalar in quotes at the offset.
func (s *scanner) flowScalar(at int) string {
	value, end := s.flowWord(at)
	s.unsure = s.unsure || end < 0 || lex.IsLetter(s.text[at]) && (strings.Contains(value, "\n") || lex.IsReserved(value))
	return value
}

// flowWord returns the plain scalar or the simple scalar in quotes at the offset, and the offset behind it, or -1.
func (s *scanner) flowWord(at int) (value string, end int) {
	switch c := s.text[at]; {
	case c == '"' || c == '\'':
		quoted, end := s.simpleQuoted(at)
		return s.names.intern(quoted), end
	case lex.IsLetter(c):
		end = lex.PlainScalarEnd(s.text, at, -1, true)
		return s.names.intern(s.text[at:end]), end
	}
	return "", -1
}

// isNull reports whether the value at the offset is the word null.
func (s *scanner) isNull(at int) bool {
	return string(s.text[at:lex.PlainScalarEnd(s.text, at, -1, true)]) == "null"
}

// flowValueEnd returns the offset behind the value at the offset.
func (s *scanner) flowValueEnd(at int) int {
	end := at
	for at < len(s.text) {
		switch c := s.text[at]; c {
		case ',', '}', ']':
			return end
		case ' ', '\t', '\r', '\n', '#':
			at = s.flowToken(at)
			continue
		case ':', '?':
			s.unsure = true
			return len(s.text)
		case '{', '[':
			at = s.flowEnd(at)
		default:
			at = s.flowToken(at)
		}
		if at < 0 {
			break
		}
		end = at
	}
	s.unsure = true
	return len(s.text)
}

// skipComma returns the offset of the next entry, or of the closing bracket.
func (s *scanner) skipComma(at int) int {
	at = lex.SkipSpace(s.text, at)
	if at < len(s.text) && s.text[at] == ',' {
		return lex.SkipSpace(s.text, at+1)
	}
	if at < len(s.text) && s.text[at] != '}' && s.text[at] != ']' {
		s.unsure = true
	}
	return at
}
