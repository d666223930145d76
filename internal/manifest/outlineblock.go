package manifest

import (
	"bytes"

	"pillion.dev/pillion/internal/yaml/lex"
)

// blockObject reads the keys of the mapping that begins at the current content, and ends at
// the line behind it. Doc is given for the document's own mapping, which may be a ResourceList.
func (s *scanner) blockObject(p *part, doc *document) {
	s.depth++
	if s.depth > MaxDepth {
		s.unsure = true
	}
	defer func() { s.depth-- }()
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
		name := s.keyName(s.content, value)
		value = lex.SkipBlanks(s.text, value)
		switch {
		case name == "":
			p.odd = true
		case name == "apiVersion":
			p.odd = p.odd || p.apiVersion != "" // it is there twice
			p.apiVersion = s.scalarAt(value, p)
		case name == "kind":
			p.odd = p.odd || p.kind != ""
			p.kind = s.scalarAt(value, p)
		case name == "<<":
			p.odd = true
		case name == "items":
			s.blockItems(p, value, column)
			continue
		case name == "functionConfig" && doc != nil:
			s.unsure = s.unsure || doc.hasConfig
			doc.hasConfig = true
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

// skipValue goes to the next line of the mapping at a column, or to what follows the mapping.
func (s *scanner) skipValue(column int) {
	for {
		s.finish()
		if !s.advance() || s.column < column || s.column == column && !s.isEntry() {
			return
		}
	}
}

// keyName returns the name of the key at the offset, whose colon stands right before value. It is
// empty where the key is not written plainly.
func (s *scanner) keyName(at, value int) string {
	key := bytes.TrimRight(s.text[at:value-1], " \t")
	if len(key) > 1 && (key[0] == '"' || key[0] == '\'') {
		if bytes.IndexByte(key, '\\') >= 0 || bytes.IndexByte(key, '\n') >= 0 {
			return ""
		}
		return s.names.intern(key[1 : len(key)-1])
	}
	if len(key) == 0 || bytes.IndexByte([]byte("&!*?"), key[0]) >= 0 {
		return ""
	}
	return s.names.intern(key)
}

// scalarAt returns the scalar at the offset, if it is written plainly or in simple quotes on one
// line. Otherwise the object is odd, and is parsed to read it.
func (s *scanner) scalarAt(at int, p *part) string {
	if s.restIsBlank(at) {
		p.odd = true
		return ""
	}
	if c := s.text[at]; c == '"' || c == '\'' {
		end := lex.QuotedEnd(s.text, at)
		if end < 0 || bytes.IndexByte(s.text[at:end], '\\') >= 0 || bytes.IndexByte(s.text[at:end], '\n') >= 0 {
			p.odd = true
			return ""
		}
		return s.names.intern(s.text[at+1 : end-1])
	}
	if !isWordStart(s.text[at]) {
		p.odd = true
		return ""
	}
	line := s.text[at:s.next]
	if comment := bytes.Index(line, []byte(" #")); comment >= 0 {
		line = line[:comment]
	}
	word := bytes.TrimRight(line, " \t\r\n")
	if bytes.IndexByte(word, ' ') >= 0 || bytes.IndexByte(word, '\t') >= 0 || s.continues(s.column) {
		p.odd = true
		return ""
	}
	p.odd = p.odd || mayBeNoString(word)
	return s.names.intern(word)
}

// mayBeNoString reports whether a plain word may be null or a boolean.
func mayBeNoString(word []byte) bool {
	const longest = len("false")
	if len(word) > longest {
		return false
	}
	switch string(bytes.ToLower(word)) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return true
	}
	return false
}

// continues reports whether the next line stands deeper than the column, so that a plain
// scalar on the current line may go on there.
func (s *scanner) continues(column int) bool {
	at := s.next
	for at < len(s.text) && lex.IsSpaceAt(s.text, at) {
		at++
	}
	line := at
	for line > s.next && s.text[line-1] != '\n' {
		line--
	}
	return at < len(s.text) && at-line > column
}

// isWordStart reports whether a byte begins a plain scalar that is just a word.
func isWordStart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
