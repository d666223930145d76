package manifest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"pillion.dev/pillion/internal/text/yaml/read"
	"pillion.dev/pillion/internal/work/parallel"
)

// ErrEmpty is the error of Read for a text without an object: nothing at all, blank lines, comments.
var ErrEmpty = errors.New("the input is empty: it holds no Kubernetes object")

// noObjectError is the error of Read for a text whose documents are all lists, values or empty.
type noObjectError struct{ error }

func (e *noObjectError) Unwrap() error { return e.error }

// IsNoObject reports whether Read has failed because a text has no object, although it can be read: it is empty, or a
// JSON patch.
func IsNoObject(err error) bool {
	return errors.Is(err, ErrEmpty) || errors.As(err, new(*noObjectError))
}

// Read splits the text of a stream.
func Read(text []byte) (*Stream, error) {
	if len(text) > maxBytes {
		return nil, fmt.Errorf("the text has %d bytes, and at most %d are read; split it", len(text), maxBytes)
	}
	markers, err := surveyed(text)
	if err != nil {
		return nil, err
	}
	documents := readDocuments(text, markers)
	r := &reader{stream: &Stream{text: text}, lines: lineCounter{text: text}}
	count := 0
	var other error // of the first document that is no object
	for i := range documents {
		doc := &documents[i]
		if doc.isOther {
			other = cmp.Or(other, doc.err)
		}
		if doc.isOther || doc.empty {
			continue
		}
		if err := cmp.Or(other, doc.err); err != nil {
			return nil, err
		}
		count++
		if err := r.add(doc); err != nil {
			return nil, err
		}
	}
	switch {
	case other != nil && count == 0:
		return nil, &noObjectError{other}
	case other != nil:
		return nil, other
	case count == 0:
		return nil, ErrEmpty
	case r.stream.ResourceList && count > 1:
		return nil, errorAt(r.lines.lineAt(r.stream.list.start),
			"the input holds a ResourceList and %d more documents; a ResourceList must be the only document", count-1)
	}
	return r.stream, nil
}

// readDocuments reads the documents of a text.
func readDocuments(text []byte, markers []int) []document {
	spans := splitDocuments(text, markers)
	documents := make([]document, len(spans))
	lines := lineCounter{text: text}
	if len(spans) == 1 { // as in most files
		readDocument(&documents[0], newOutline(text, spans[0], lines.lineAt(spans[0].start)))
		return documents
	}
	outlines := make([]outline, len(spans))
	for i, at := range spans {
		outlines[i] = newOutline(text, at, lines.lineAt(at.start))
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	parallel.Do(ctx, len(spans), func(i int) {
		readDocument(&documents[i], outlines[i])
		if documents[i].err != nil && !documents[i].isOther {
			stop() // the documents behind it do not matter
		}
	})
	return documents
}

func readDocument(doc *document, o outline) {
	arena := read.Borrow()
	defer arena.Return()
	o.read(doc, arena)
}

// reader adds documents to a stream.
type reader struct {
	stream *Stream
	lines  lineCounter
}

// add adds the items of a document to the stream.
func (r *reader) add(doc *document) error {
	if doc.Kind == "ResourceList" {
		return r.addResourceList(doc)
	}
	return r.addItem(&doc.Item)
}

func (r *reader) addResourceList(doc *document) error {
	switch doc.APIVersion {
	case "config.kubernetes.io/v1", "config.kubernetes.io/v1beta1", "config.kubernetes.io/v1alpha1":
	default:
		return errorAt(r.lines.lineAt(doc.start),
			"the ResourceList has apiVersion %q; expected config.kubernetes.io/v1 (v1beta1 and v1alpha1 are read too)", doc.APIVersion)
	}
	if doc.Broken != nil {
		return doc.Broken
	}
	s := r.stream
	s.ResourceList, s.list = true, doc
	if doc.config != nil {
		s.Config = r.locate(doc.config)
	}
	return r.addMembers(&doc.Item)
}

// addMembers adds the members of a list.
func (r *reader) addMembers(list *Item) error {
	r.stream.Items = slices.Grow(r.stream.Items, len(list.members))
	for _, member := range list.members {
		member.inherit(list)
		if err := r.addItem(member); err != nil {
			return err
		}
	}
	return nil
}

// addItem adds one object to the stream, or the members of a list.
func (r *reader) addItem(item *Item) error {
	switch size := len(item.Text); {
	case item.members != nil && item.Broken != nil:
		return item.Broken
	case item.members != nil:
		return r.addMembers(item)
	case size > MaxItemBytes:
		return errorAt(r.lines.lineAt(item.start), "this %s has %d bytes; at most %d are read, as no cluster stores more",
			cmp.Or(item.Kind, "object"), size, MaxItemBytes)
	}
	r.stream.Items = append(r.stream.Items, r.locate(item))
	return nil
}

// locate counts the line of an item, unless it is known.
func (r *reader) locate(item *Item) *Item {
	if item.Line == 0 {
		item.Line, item.Column = r.lines.positionOf(item.start)
	}
	return item
}
