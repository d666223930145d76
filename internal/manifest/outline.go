package manifest

import "pillion.dev/pillion/internal/yaml/lex"

// outline finds the parts of one document. It parses the document only if it has to.
func (r *reader) outline(at span) (*document, error) {
	if at.start == at.end {
		return &document{part: part{span: at}, empty: true}, nil
	}
	if !r.hasRareBreaks || !lex.HasRareBreaks(r.text[at.start:at.end]) {
		if doc, sure := r.outlineScan(at); sure {
			return doc, nil
		}
	}
	return r.outlineNodes(at)
}

// outlineScan finds the parts of a document with the scanner, and reports whether the scanner is sure.
func (r *reader) outlineScan(at span) (doc *document, sure bool) {
	if c := r.text[at.start]; c == '%' || lex.IsMarkerAt(r.text, at.start) {
		return nil, false
	}
	doc = &document{part: part{span: at}}
	s := &scanner{text: r.text[:at.end], next: at.start, open: -1, deeper: nothingDeeper, names: r.names}
	if !s.advance() {
		doc.empty = true
		return doc, !s.unsure
	}
	switch {
	case s.text[s.content] == '{':
		s.flowDocument(doc)
	case s.column == 0:
		s.blockObject(&doc.part, doc)
	default:
		s.unsure = true
	}
	wholeDocument := s.line == len(s.text)
	if s.unsure || !wholeDocument || doc.unclear {
		return nil, false
	}
	return doc, r.resolveUnclear(&doc.part)
}

// flowDocument reads a document that is one mapping in braces.
func (s *scanner) flowDocument(doc *document) {
	end := s.flowObject(s.content, &doc.part, doc)
	if s.unsure || !lex.RestIsBlank(s.text, end) {
		s.unsure = true
		return
	}
	doc.closing.end = end
	s.next = lex.NextLine(s.text, end)
	s.advance()
}

// resolveUnclear parses the part, or else the members of a list, if the scanner could not read the kind. It returns false if the
// text cannot be parsed alone, or is a list, because its members were not read.
func (r *reader) resolveUnclear(p *part) bool {
	if p.unclear {
		return r.identify(p)
	}
	isResolved := true
	for i := range p.members {
		isResolved = isResolved && r.resolveUnclear(&p.members[i])
	}
	return isResolved
}

// identify reads the kind of an unclear part by parsing it.
func (r *reader) identify(p *part) bool {
	line := r.lineAt(p.start)
	tree, err := parseOne(r.text[p.start:p.end], line)
	if err != nil {
		return false
	}
	object := objectIn(tree.Content[0])
	if object == nil {
		p.found = describe(entryIn(tree.Content[0]))
		return true
	}
	check := treeCheck{text: r.text[p.start:p.end], line: line}
	if check.limits(object) != nil {
		return false
	}
	check.identify(p, object)
	return !mayBeList(p, object)
}
