// Package splice writes changed nodes back into the text they were parsed from, and changes only the bytes that have to change.
package splice

import (
	"bytes"
	"errors"
	"slices"

	"pillion.dev/pillion/internal/edit"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/read"
)

// Splice returns text with the smallest edits that change the document in it from before to after. Nodes of after that have
// the identity of nodes of before stay where they are; see package node. It fails if that is not possible without changing more;
// then Rewrite can be used.
//
// New text is written in the style of its neighbours. An entry that is inserted before another goes above the comments of that
// one; an entry that is removed leaves the comments above it in place. The text is returned only if it reads back as after.
func Splice(text []byte, before, after *node.Node) ([]byte, error) {
	edits, err := Restore(text, before, after, Past{})
	switch {
	case err != nil:
		return nil, err
	case len(edits) == 0:
		return text, nil
	}
	return edit.Apply(text, edits), nil
}

// Past describes how a text was changed before.
type Past struct {
	// Texts is how some of the new nodes were written before they were removed. They are written like that again.
	Texts map[*node.Node]string
	// Pristine is the document without everything that was added before, or nil. Only its nodes decide on the style of new
	// text, and only they can have comments above them.
	Pristine *node.Node
	// Arena lends its memory to read the result back, and may be nil.
	Arena *read.Arena
}

// Restore returns the edits with which Splice changes a text that was changed before. There are none if the text stays the same.
func Restore(text []byte, before, after *node.Node, past Past) ([]edit.Edit, error) {
	if len(before.Content) != 1 || len(after.Content) != 1 {
		return nil, errEmpty
	}
	m := memories.Get().(*memory)
	defer memories.Put(m)
	s, err := newSplicer(text, before, after, past, m)
	if err != nil {
		return nil, err
	}
	if err := s.document(before, after); err != nil || len(s.edits) == 0 {
		return nil, err
	}
	return s.checkedEdits(after, past.Arena)
}

// checkedEdits returns the edits if the text that they make reads back as after.
func (s *splicer) checkedEdits(after *node.Node, arena *read.Arena) ([]edit.Edit, error) {
	result, err := s.apply()
	if err != nil {
		return nil, err
	}
	edits := edit.Known(s.text, s.edits, result)
	err = readsBackAs(arena, result, after)
	switch {
	case err != nil && read.EndsOpen(s.text):
		return nil, errOpenScalar
	case err != nil:
		return nil, err
	case bytes.Equal(s.text, result):
		return nil, nil
	}
	return slices.Clone(edits), nil
}

var (
	errEmpty      = errors.New("the document is empty")
	errOpenScalar = errors.New("there is no newline after the last line, which belongs to a block scalar; " +
		"some programs read the scalar with a newline, others without; add a newline at the end")
)

// document compares the roots.
func (s *splicer) document(before, after *node.Node) error {
	b, a := before.Content[0], after.Content[0]
	if same, err := s.unchanged(b, a); same || err != nil {
		return err
	}
	if !followable(b, a) || len(b.Content) == 0 || len(a.Content) == 0 {
		return errors.New("the whole document is new")
	}
	return s.collection(b, a)
}
