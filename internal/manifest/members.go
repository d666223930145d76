package manifest

import "pillion.dev/pillion/internal/yaml/lex"

// blockItems reads the members behind the key "items", and goes to the line behind them. Other
// values make the part odd: behind an anchor or a tag, there may be members too.
func (s *scanner) blockItems(p *part, value, column int) {
	p.odd = p.odd || p.itemsSeen
	p.itemsSeen = true
	if !s.restIsBlank(value) {
		if s.text[value] == '[' {
			p.hasItems = true
			s.flowMembers(value, p)
		} else {
			p.odd = true
		}
		s.skipValue(column)
		return
	}
	s.finish()
	if !s.advance() || s.column < column || s.column == column && !s.isEntry() {
		return
	}
	if !s.isEntry() {
		p.odd = true
		s.skipValue(column)
		return
	}
	p.hasItems = true
	dash := s.column
	for !s.unsure && s.column == dash && s.isEntry() {
		p.members = append(p.members, s.blockMember(dash))
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
	case s.restIsBlank(at):
		s.finish()
		if !s.advance() || s.column <= dash {
			member.odd = true
			break
		}
		s.memberObject(&member, dash)
	default:
		s.column += at - s.content
		s.content = at
		s.open = dash
		s.memberObject(&member, dash)
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
		member.odd = true
	}
	s.finish()
	for s.advance() && s.column > dash {
		s.finish()
	}
}

// blockConfig reads the value behind the key "functionConfig". It says no, and stays on the
// line, where there is none.
func (s *scanner) blockConfig(doc *document, value, column int) bool {
	config := &part{}
	if !s.restIsBlank(value) {
		if s.text[value] != '{' {
			s.unsure = true
			return false
		}
		config.start = value
		config.end = s.flowObject(value, config, nil)
		doc.config = config
		s.unsure = s.unsure || config.odd
		return false
	}
	s.finish()
	if !s.advance() || s.column <= column {
		return true
	}
	config.start = s.line
	if _, isKey := s.keyAt(); !isKey {
		s.unsure = true
		return true
	}
	s.blockObject(config, nil)
	config.end = s.line
	doc.config = config
	if config.odd {
		s.unsure = true
	}
	return true
}
