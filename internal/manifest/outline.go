package manifest

import (
	"errors"
	"strings"

	"pillion.dev/pillion/internal/yaml/lex"
)

// outline finds the parts of one document. It parses the document only if it has to.
func outline(text []byte, at span, names interner) (*document, error) {
	if at.start == at.end {
		return &document{part: part{span: at}, empty: true}, nil
	}
	if !lex.HasRareBreaks(text[at.start:at.end]) {
		if doc, sure := outlineScan(text, at, names); sure {
			return doc, nil
		}
	}
	return outlineNodes(text, at)
}

// outlineScan finds the parts of a document with the scanner, and reports whether the scanner is sure.
func outlineScan(text []byte, at span, names interner) (doc *document, sure bool) {
	if c := text[at.start]; c == '%' || lex.IsMarkerAt(text, at.start) {
		return nil, false
	}
	doc = &document{part: part{span: at}}
	s := newScanner(text, at, names)
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
	return doc, s.resolveUnclear(doc.members)
}

// flowDocument reads a document that is one mapping in braces.
func (s *scanner) flowDocument(doc *document) {
	end := s.flowObject(s.content, &doc.part, doc)
	if s.unsure || !s.restIsBlank(end) {
		s.unsure = true
		return
	}
	doc.closing.end = end
	s.next = lex.NextLine(s.text, end)
	s.advance()
}

// resolveUnclear parses the members whose kind the scanner could not read. It returns false
// if one cannot be parsed alone, or is a list, whose members were not read.
func (s *scanner) resolveUnclear(members []part) bool {
	for i := range members {
		p := &members[i]
		if p.unclear && !p.identify(s.text) || !s.resolveUnclear(p.members) {
			return false
		}
	}
	return true
}

// identify reads the kind of an unclear part by parsing it.
func (p *part) identify(text []byte) bool {
	tree, err := parseOne(text[p.start:p.end], 1)
	if err != nil {
		return false
	}
	object := objectIn(tree.Content[0])
	if object == nil {
		p.found = describe(entryIn(tree.Content[0]))
		return true
	}
	check := treeCheck{line: 1}
	if check.limits(object) != nil {
		return false
	}
	check.identify(p, object)
	if at := new(LineError); errors.As(p.broken, &at) { // counting the lines for each part would take too long
		at.Line += lineAt(text, p.start) - 1
	}
	return !strings.HasSuffix(p.kind, "List")
}
