package manifest

import (
	"bytes"

	"pillion.dev/pillion/internal/yaml/lex"
)

// blockObject reads the keys of the mapping that begins at the current content, and ends at
// the line behind it. Doc is given for the document's own mapping, which may be a ResourceList.
func (s *scanner) blockObject(p *part, doc *document) {
	s.enter()
	defer s.leave()
	column := s.column
	for !s.unsure && s.column == column {
		value, isKey := s.keyAt()
		if !isKey {
			s.unsure = true
			return
		}
		start := s.line
		if doc != nil {
			doc.leads(span{s.behind, start})
		}
		name := string(s.keyName(s.content, value))
		value = lex.SkipBlanks(s.text, value)
		switch {
		case name == "" || name == "<<":
			p.unclear = true
		case name == "apiVersion":
			p.set(&p.apiVersion, s.scalarAt(value, p))
		case name == "kind":
			p.set(&p.kind, s.scalarAt(value, p))
		case name == "items":
			s.blockItems(p, value, column)
			continue
		case name == "functionConfig" && doc != nil:
			if s.blockConfig(doc, value, column) {
				continue
			}
		case name == "results" && doc != nil:
			s.unsure = s.unsure || doc.results != nil
			s.skipValue(column)
			doc.results = &span{start, s.line}
			continue
		}
		s.skipValue(column)
	}
	if s.column > column {
		s.unsure = true
	}
}

// enter counts how deep objects are nested. The parser reports what is too deep.
func (s *scanner) enter() {
	s.depth++
	s.unsure = s.unsure || s.depth > MaxDepth
}

func (s *scanner) leave() { s.depth-- }

// skipValue goes to the next line of the mapping at a column, or to what follows the mapping.
func (s *scanner) skipValue(column int) {
	for {
		s.finish()
		if !s.advance() || s.column < column || s.column == column && !s.isEntry() {
			return
		}
	}
}

// keyName returns the name of the key at the offset. Its colon is right before value. It returns nothing
// if the key is not written plainly.
func (s *scanner) keyName(at, value int) []byte {
	switch s.text[at] {
	case '"', '\'':
		name, _ := s.simpleQuoted(at)
		return name
	case '&', '!', '*', '?':
		return nil
	}
	return s.text[at:lex.TrimBlanks(s.text, at, value-1)]
}

// simpleQuoted returns the scalar in quotes at the offset and the offset behind it, if it is on one line and has no escapes.
// Otherwise the offset is -1.
func (s *scanner) simpleQuoted(at int) (value []byte, end int) {
	end = lex.QuotedEnd(s.text, at)
	if end < 0 || bytes.ContainsAny(s.text[at+1:end-1], "'\\\n") {
		return nil, -1
	}
	return s.text[at+1 : end-1], end
}

// scalarAt returns the scalar at the offset, if it is a plain word or in simple quotes on one line. Otherwise the part is unclear.
func (s *scanner) scalarAt(at int, p *part) string {
	switch {
	case lex.RestIsBlank(s.text, at):
	case s.text[at] == '"' || s.text[at] == '\'':
		if value, end := s.simpleQuoted(at); end > 0 {
			return s.names.intern(value)
		}
	case lex.IsLetter(s.text[at]):
		end := lex.PlainEnd(s.text, at, false)
		if !lex.RestIsBlank(s.text, end) || s.continues(s.column) {
			break
		}
		word := s.names.intern(s.text[at:lex.TrimBlanks(s.text, at, end)])
		p.unclear = p.unclear || lex.IsReserved(word)
		return word
	}
	p.unclear = true
	return ""
}

// continues reports whether the next line with text is deeper than the column, so that a plain scalar on the current line may
// continue there.
func (s *scanner) continues(column int) bool {
	line, at := s.next, s.next
	for at < len(s.text) && lex.IsSpaceAt(s.text, at) {
		at++
		if lex.IsBreak(s.text[at-1]) {
			line = at
		}
	}
	return at < len(s.text) && at-line > column
}
