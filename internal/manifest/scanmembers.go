package manifest

import "pillion.dev/pillion/internal/yaml/lex"

// blockItems reads the members behind the key "items", and goes to the line behind them. Other
// values make the part unclear, because members may follow an anchor or a tag.
func (s *scanner) blockItems(p *part, value, column int) {
	isAgain := p.itemsSeen
	p.unclear = p.unclear || isAgain
	p.itemsSeen = true
	if !lex.RestIsBlank(s.text, value) {
		if s.text[value] == '[' {
			p.hasItems = true
			s.flowMembers(value, p)
		} else {
			p.unclear = true
		}
		s.skipValue(column)
		return
	}
	s.finish()
	if !s.advance() || s.column < column || s.column == column && !s.isEntry() {
		return
	}
	if !s.isEntry() {
		p.unclear = true
		s.skipValue(column)
		return
	}
	p.hasItems = true
	if dash := s.column; s.depth == 1 && !isAgain {
		s.blockMembersAhead(p, dash)
	} else { // a list in a list would be read ahead of again and again
		s.blockMembers(p, dash, len(s.text))
	}
	if s.column > column {
		s.unsure = true
	}
}

// blockMember reads the entry behind the dash on the current line.
func (s *scanner) blockMember(dash int) part {
	member := part{span: span{start: s.line}}
	at := lex.SkipBlanks(s.text, s.content+1)
	switch {
	case !lex.RestIsBlank(s.text, at):
		s.column += at - s.content
		s.content = at
		s.open = dash
		s.memberObject(&member, dash)
	default:
		s.finish()
		if s.advance() && s.column > dash {
			s.memberObject(&member, dash)
		} else {
			member.unclear = true
		}
	}
	member.end = s.line
	return member
}

// memberObject reads the object at the current content, and ends behind its lines.
func (s *scanner) memberObject(member *part, dash int) {
	if _, isKey := s.keyAt(); isKey {
		s.blockObject(member, nil)
		if s.column > dash {
			s.unsure = true
		}
		return
	}
	if s.text[s.content] == '{' {
		s.flowObject(s.content, member, nil)
	} else {
		member.unclear = true
	}
	s.finish()
	for s.advance() && s.column > dash {
		s.finish()
	}
}

// blockConfig reads the value behind the key "functionConfig". It reports whether it went to the line behind the value.
func (s *scanner) blockConfig(doc *document, value, column int) bool {
	if !lex.RestIsBlank(s.text, value) {
		s.flowConfig(doc, value)
		return false
	}
	s.unsure = s.unsure || doc.hasConfig
	doc.hasConfig = true
	s.finish()
	if !s.advance() || s.column <= column {
		return true
	}
	if _, isKey := s.keyAt(); !isKey {
		s.unsure = true
		return true
	}
	doc.config = &part{span: span{start: s.line}}
	s.blockObject(doc.config, nil)
	doc.config.end = s.line
	s.unsure = s.unsure || doc.config.unclear
	return true
}

// flowConfig reads the value of the key "functionConfig" that begins at the offset, and returns the offset behind what it read.
func (s *scanner) flowConfig(doc *document, value int) int {
	s.unsure = s.unsure || doc.hasConfig
	doc.hasConfig = true
	if s.text[value] != '{' {
		s.unsure = s.unsure || !s.isNull(value)
		return value
	}
	doc.config = &part{span: span{start: value}}
	doc.config.end = s.flowObject(value, doc.config, nil)
	s.unsure = s.unsure || doc.config.unclear
	return doc.config.end
}
