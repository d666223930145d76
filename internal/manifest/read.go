package manifest

import (
	"bytes"
	"errors"
	"unicode/utf8"
)

// ErrEmpty is the error of Read for a text without an object: nothing at all, blank lines, comments.
var ErrEmpty = errors.New("the input is empty: it holds no Kubernetes object")

// Read splits the text of a stream.
func Read(text []byte) (*Stream, error) {
	if err := checkText(text); err != nil {
		return nil, err
	}
	s := &Stream{text: text}
	known := interner{}
	documents := 0
	for _, at := range splitDocuments(text) {
		doc, err := outline(text, at, known)
		if err != nil {
			return nil, err
		}
		if doc.empty {
			continue
		}
		documents++
		if err := s.add(doc); err != nil {
			return nil, err
		}
	}
	switch {
	case documents == 0:
		return nil, ErrEmpty
	case s.ResourceList && documents > 1:
		return nil, errorAt(s.lineOf(s.list.start),
			"the input holds a ResourceList and %d more documents; a ResourceList stands alone", documents-1)
	}
	s.countLines()
	return s, nil
}

// checkText refuses what is not UTF-8.
func checkText(text []byte) error {
	if bytes.HasPrefix(text, []byte{0xFE, 0xFF}) || bytes.HasPrefix(text, []byte{0xFF, 0xFE}) {
		return errors.New("the input is UTF-16; save it as UTF-8")
	}
	if utf8.Valid(text) {
		return nil
	}
	at := 0
	for at < len(text) {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return errorAt(lineAt(text, at), "the input is not UTF-8: byte 0x%02x at offset %d; save it as UTF-8", text[at], at)
}

// add adds the items of a document to the stream.
func (s *Stream) add(doc *document) error {
	if doc.isResourceList() {
		return s.addResourceList(doc)
	}
	return s.addPart(&doc.part, "document")
}

func (s *Stream) addResourceList(doc *document) error {
	switch doc.apiVersion {
	case "config.kubernetes.io/v1", "config.kubernetes.io/v1beta1", "config.kubernetes.io/v1alpha1":
	default:
		return errorAt(s.lineOf(doc.start),
			"the ResourceList has apiVersion %q; expected config.kubernetes.io/v1 (v1beta1 and v1alpha1 are read too)", doc.apiVersion)
	}
	if err := s.checkItemsKey(&doc.part); err != nil {
		return err
	}
	s.ResourceList, s.list = true, doc
	if doc.config != nil {
		if doc.config.found != "" {
			return errorAt(s.lineOf(doc.config.start), "functionConfig is %s; expected a mapping with apiVersion and kind", doc.config.found)
		}
		config := s.item(doc.config)
		config.Line = s.lineOf(config.start)
		s.Config = &config
	}
	s.Items = make([]Item, 0, len(doc.members))
	for i := range doc.members {
		if err := s.addPart(&doc.members[i], "item"); err != nil {
			return err
		}
	}
	doc.members = nil
	return nil
}

// addPart adds one object to the stream, or the members of a list.
func (s *Stream) addPart(p *part, what string) error {
	if p.found != "" {
		return errorAt(s.lineOf(p.start), "this %s is %s; expected a Kubernetes object, a mapping with apiVersion and kind", what, p.found)
	}
	if err := s.checkItemsKey(p); err != nil {
		return err
	}
	if p.isList() {
		for i := range p.members {
			p.members[i].inherit(p)
			if err := s.addPart(&p.members[i], "item"); err != nil {
				return err
			}
		}
		return nil
	}
	if size := p.end - p.start; size > MaxItemBytes {
		return errorAt(s.lineOf(p.start), "%s %s has %d bytes; at most %d are read, as no cluster stores more", what, p.kind, size, MaxItemBytes)
	}
	s.Items = append(s.Items, s.item(p))
	return nil
}

func (s *Stream) item(p *part) Item {
	return Item{APIVersion: p.apiVersion, Kind: p.kind, Broken: p.broken, Text: s.text[p.start:p.end:p.end], stream: s.text, start: p.start}
}

// countLines sets the line numbers of all items in one pass over the text.
func (s *Stream) countLines() {
	line, at := 1, 0
	for i := range s.Items {
		line += bytes.Count(s.text[at:s.Items[i].start], []byte{'\n'})
		at = s.Items[i].start
		s.Items[i].Line = line
	}
}

func (s *Stream) lineOf(offset int) int { return lineAt(s.text, offset) }

func lineAt(text []byte, offset int) int {
	return 1 + bytes.Count(text[:offset], []byte{'\n'})
}
