// Package splice writes changed nodes back into the text they were parsed from, and changes only the bytes that have to change.
package splice

import (
	"bytes"
	"errors"
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/edit"
	"pillion.dev/pillion/internal/yaml/parse"
)

// Splice returns text with the smallest edits that change the document in it from before to after. Nodes of after that have
// the identity of nodes of before stay where they are; see package node. It fails if that is not possible without changing more;
// then Rewrite can be used.
//
// New text is written in the style of its neighbours. An entry that is inserted before another goes above the comments of that
// one; an entry that is removed leaves the comments above it in place. The text is returned only if it reads back as after.
func Splice(text []byte, before, after *yaml.Node) ([]byte, error) {
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
	Texts map[*yaml.Node]string
	// Pristine is the document without everything that was added before, or nil. Only its nodes decide on the style of new
	// text, and only they can have comments above them.
	Pristine *yaml.Node
	// Arena is the one that the document was read with, or nil. With it, the result can be read back faster; see parse.Arena.Reread.
	// The document must be as it was read.
	Arena *parse.Arena
}

// Restore returns the edits with which Splice changes a text that was changed before. There are none if the text stays the same.
func Restore(text []byte, before, after *yaml.Node, past Past) ([]edit.Edit, error) {
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
	return s.checkedEdits(before, after, past.Arena)
}

// checkedEdits returns the edits if the text that they make reads back as after. The arena is that of before, or nil.
func (s *splicer) checkedEdits(before, after *yaml.Node, arena *parse.Arena) ([]edit.Edit, error) {
	result, err := s.apply()
	if err != nil {
		return nil, err
	}
	edits := edit.Known(s.text, s.edits, result)
	err = revision{result, edits, after}.readBack(arena, before, s.Lines)
	switch {
	case err != nil && parse.EndsOpen(s.text):
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
func (s *splicer) document(before, after *yaml.Node) error {
	b, a := before.Content[0], after.Content[0]
	if same, err := s.unchanged(b, a); same || err != nil {
		return err
	}
	if !followable(b, a) || len(b.Content) == 0 || len(a.Content) == 0 {
		return errors.New("the whole document is new")
	}
	return s.collection(b, a)
}
