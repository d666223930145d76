package manifest

import (
	"bytes"
	"cmp"
	"errors"
	"unicode/utf8"

	"pillion.dev/pillion/internal/yaml/lex"
)

// ErrEmpty is the error of Read for a text without an object: nothing at all, blank lines, comments.
var ErrEmpty = errors.New("the input is empty: it holds no Kubernetes object")

// Read splits the text of a stream.
func Read(text []byte) (*Stream, error) {
	r := newReader(text)
	spans, err := r.split()
	if err != nil {
		return nil, err
	}
	documents := 0
	for _, at := range spans {
		doc, err := r.outline(at)
		if err != nil {
			return nil, err
		}
		if doc.empty {
			continue
		}
		documents++
		if err := r.add(doc); err != nil {
			return nil, err
		}
	}
	switch {
	case documents == 0:
		return nil, ErrEmpty
	case r.stream.ResourceList && documents > 1:
		return nil, errorAt(r.lineAt(r.stream.list.start),
			"the input holds a ResourceList and %d more documents; a ResourceList must be the only document", documents-1)
	}
	return r.stream, nil
}

// reader reads a stream, one document after the other.
type reader struct {
	stream *Stream
	names  interner
	// hasRareBreaks is set if any document has rare line breaks.
	hasRareBreaks bool
	lineCounter
}

func newReader(text []byte) *reader {
	return &reader{stream: &Stream{text: text}, names: interner{}, lineCounter: lineCounter{text: text}}
}

// split checks the text, and returns the range of each document. It does both at the same time, because each goes over all of a text
// that may be large.
func (r *reader) split() ([]span, error) {
	checked := make(chan error, 1)
	go func() {
		r.hasRareBreaks = lex.HasRareBreaks(r.text)
		checked <- checkText(r.text)
	}()
	spans := splitDocuments(r.text)
	return spans, <-checked
}

// checkText refuses what is not UTF-8, and what readers do not agree on.
func checkText(text []byte) error {
	return cmp.Or(checkUTF8(text), checkLines(text))
}

func checkUTF8(text []byte) error {
	if bytes.HasPrefix(text, []byte{0xFE, 0xFF}) || bytes.HasPrefix(text, []byte{0xFF, 0xFE}) {
		return errors.New("the input is UTF-16; save it as UTF-8")
	}
	if utf8.Valid(text) {
		return nil
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return errors.New("this is a binary file; expected YAML or JSON")
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
func (r *reader) add(doc *document) error {
	if doc.isResourceList() {
		return r.addResourceList(doc)
	}
	return r.addPart(&doc.part, "document")
}

func (r *reader) addResourceList(doc *document) error {
	switch doc.apiVersion {
	case "config.kubernetes.io/v1", "config.kubernetes.io/v1beta1", "config.kubernetes.io/v1alpha1":
	default:
		return errorAt(r.lineAt(doc.start),
			"the ResourceList has apiVersion %q; expected config.kubernetes.io/v1 (v1beta1 and v1alpha1 are read too)", doc.apiVersion)
	}
	if err := cmp.Or(doc.broken, r.checkItemsKey(&doc.part)); err != nil {
		return err
	}
	s := r.stream
	s.ResourceList, s.list = true, doc
	if doc.config != nil {
		if doc.config.found != "" {
			return errorAt(r.lineAt(doc.config.start), "functionConfig is %s; expected a mapping with apiVersion and kind", doc.config.found)
		}
		config := r.item(doc.config)
		s.Config = &config
	}
	s.Items = make([]Item, 0, len(doc.members))
	for i := range doc.members {
		if err := r.addPart(&doc.members[i], "item"); err != nil {
			return err
		}
	}
	doc.members = nil
	return nil
}

// addPart adds one object to the stream, or the members of a list.
func (r *reader) addPart(p *part, what string) error {
	if p.found != "" {
		return errorAt(r.lineAt(p.start), "this %s is %s; expected a Kubernetes object, a mapping with apiVersion and kind", what, p.found)
	}
	if err := r.checkItemsKey(p); err != nil {
		return err
	}
	for i := range p.members {
		p.members[i].inherit(p)
	}
	if p.isList() {
		if p.broken != nil {
			return p.broken
		}
		for i := range p.members {
			if err := r.addPart(&p.members[i], "item"); err != nil {
				return err
			}
		}
		return nil
	}
	if hidden := p.hidden(); len(hidden) > 0 && p.broken == nil {
		p.broken = r.hidesObjects(p, hidden)
	}
	if size := p.end - p.start; size > MaxItemBytes {
		return errorAt(r.lineAt(p.start), "%s %s has %d bytes; at most %d are read, as no cluster stores more", what, p.kind, size, MaxItemBytes)
	}
	r.stream.Items = append(r.stream.Items, r.item(p))
	return nil
}

// hidesObjects is the error of an object that is no list and has objects in its items.
func (r *reader) hidesObjects(p *part, hidden []part) error {
	first, kind := r.item(&hidden[0]), cmp.Or(p.kind, "object")
	return errorAt(r.lineAt(p.start), "kubectl reads an object with items as a list: it applies what is in the items of this %s "+
		"(%d, the first is %s/%s), and not the %s itself; move that to documents of its own, or remove items",
		kind, len(hidden), cmp.Or(first.Kind, "object"), first.PeekName(), kind)
}

func (r *reader) item(p *part) Item {
	return Item{
		APIVersion: p.apiVersion, Kind: p.kind, Broken: p.broken,
		Text: r.text[p.start:p.end:p.end], Line: r.lineAt(p.start), Column: r.columnAt(p.start),
		stream: r.text, start: p.start,
	}
}
