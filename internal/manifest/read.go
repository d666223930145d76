package manifest

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"pillion.dev/pillion/internal/parallel"
	"pillion.dev/pillion/internal/yaml/read"
)

// ErrEmpty is the error of Read for a text without an object: nothing at all, blank lines, comments.
var ErrEmpty = errors.New("the input is empty: it holds no Kubernetes object")

// Read splits the text of a stream.
func Read(text []byte) (*Stream, error) { return ReadWith(text, nil) }

// ReadWith is like Read, with a visitor, which may be nil.
func ReadWith(text []byte, visit Visitor) (*Stream, error) {
	markers, err := surveyed(text)
	if err != nil {
		return nil, err
	}
	documents := readDocuments(text, markers, visit)
	r := &reader{stream: &Stream{text: text}, lineCounter: lineCounter{text: text}}
	count := 0
	for i := range documents {
		doc := &documents[i]
		r.line = r.lineAt(doc.start)
		if doc.err != nil {
			return nil, r.located(doc.err)
		}
		if doc.empty {
			continue
		}
		count++
		if err := r.add(&doc.document); err != nil {
			return nil, err
		}
	}
	switch {
	case count == 0:
		return nil, ErrEmpty
	case r.stream.ResourceList && count > 1:
		return nil, errorAt(r.lineAt(r.stream.list.start),
			"the input holds a ResourceList and %d more documents; a ResourceList must be the only document", count-1)
	}
	return r.stream, nil
}

// readDocuments reads the documents of a text.
func readDocuments(text []byte, markers []int, visit Visitor) []documentOrError {
	spans := splitDocuments(text, markers)
	documents := make([]documentOrError, len(spans))
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	parallel.Do(ctx, len(spans), func(i int) {
		arena := read.Borrow()
		defer arena.Return()
		if documents[i].document, documents[i].err = readDocument(text, spans[i], arena, visit); documents[i].err != nil {
			stop() // the documents behind it do not matter
		}
	})
	return documents
}

// documentOrError is the result of reading a document.
type documentOrError struct {
	document
	err error
}

// reader adds documents to a stream.
type reader struct {
	stream *Stream
	line   int // of the document
	lineCounter
}

// located returns an error of the document with its line in the stream.
func (r *reader) located(err error) error { return moved(err, r.line-1) }

// moved returns an error with its line so many lines further down.
func moved(err error, lines int) error {
	if at, ok := errors.AsType[*LineError](err); ok {
		at.Line += lines
	}
	return err
}

// add adds the items of a document to the stream.
func (r *reader) add(doc *document) error {
	if doc.Kind == "ResourceList" {
		return r.addResourceList(doc)
	}
	return r.addPart(&doc.part, "document")
}

func (r *reader) addResourceList(doc *document) error {
	switch doc.APIVersion {
	case "config.kubernetes.io/v1", "config.kubernetes.io/v1beta1", "config.kubernetes.io/v1alpha1":
	default:
		return errorAt(r.lineAt(doc.start),
			"the ResourceList has apiVersion %q; expected config.kubernetes.io/v1 (v1beta1 and v1alpha1 are read too)", doc.APIVersion)
	}
	if doc.Broken != nil {
		return r.located(doc.Broken)
	}
	s := r.stream
	s.ResourceList, s.list = true, doc
	if doc.config != nil {
		if doc.config.found != "" {
			return errorAt(r.lineAt(doc.config.start), "functionConfig is %s; expected a mapping with apiVersion and kind", doc.config.found)
		}
		doc.config.problem = r.located(doc.config.problem)
		s.Config = r.item(doc.config)
	}
	return r.addParts(&doc.part)
}

// addParts adds the members of a list.
func (r *reader) addParts(list *part) error {
	r.stream.Items = slices.Grow(r.stream.Items, len(list.members))
	for _, member := range list.members {
		if err := r.addPart(member, "item"); err != nil {
			return err
		}
	}
	return nil
}

// addPart adds one object to the stream, or the members of a list.
func (r *reader) addPart(p *part, what string) error {
	if p.found != "" {
		return errorAt(r.lineAt(p.start), "this %s is %s; expected a Kubernetes object, a mapping with apiVersion and kind", what, p.found)
	}
	p.Broken, p.problem = r.located(p.Broken), r.located(p.problem)
	for _, member := range p.members {
		member.inherit(p)
	}
	if p.isList() {
		if p.Broken != nil {
			return p.Broken
		}
		return r.addParts(p)
	}
	if hidden := p.hidden(); len(hidden) > 0 && p.Broken == nil {
		p.Broken = r.hidesObjects(p, hidden)
	}
	if size := len(p.Text); size > MaxItemBytes {
		return errorAt(r.lineAt(p.start), "%s %s has %d bytes; at most %d are read, as no cluster stores more", what, p.Kind, size, MaxItemBytes)
	}
	r.stream.Items = append(r.stream.Items, r.item(p))
	return nil
}

// hidesObjects is the error of an object that is no list and has objects in its items.
func (r *reader) hidesObjects(p *part, hidden []*part) error {
	first, kind := r.item(hidden[0]), cmp.Or(p.Kind, "object")
	return errorAt(r.lineAt(p.start), "kubectl reads an object with items as a list: it applies what is in the items of this %s "+
		"(%d, the first is %s/%s), and not the %s itself; move that to documents of its own, or remove items",
		kind, len(hidden), cmp.Or(first.Kind, "object"), first.Name, kind)
}

// item returns the item of a part, with its position.
func (r *reader) item(p *part) *Item {
	if p.Line == 0 {
		p.Line, p.Column = r.lineAt(p.start), r.columnAt(p.start)
	}
	return &p.Item
}
