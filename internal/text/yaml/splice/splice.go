// Package splice writes changed nodes back into the text they were read from, and changes only the bytes that have to
// change.
package splice

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// Past describes how a text was changed before.
type Past struct {
	// Texts is how some of the new nodes were written before they were removed. They are written like that again.
	Texts map[*node.Node]string
	// Pristine is the document without everything that was added before, or nil. Only its nodes decide on the style of
	// new text, and only they can have comments above them.
	Pristine *node.Node
	// Shared is what many documents get, and may be nil.
	Shared *Shared
}

// Edits returns the smallest edits of a text that change the document in it from before to after. There are none if the
// text stays the same. Nodes of after that have the identity of nodes of before stay where they are; see package node.
// It fails if the text cannot be followed, or would lose a comment.
//
// New text is written in the style of its neighbours. An entry that is inserted before another goes above the comments
// of that one; an entry that is removed leaves the comments above it in place. Edits are returned only if their result
// reads back as after.
func Edits(text []byte, before, after *node.Node, past Past) ([]edit.Edit, error) {
	switch b, a := before.Content[0], after.Content[0]; {
	case b.IsApproximate:
		return nil, ErrNotFollowed
	case sameText(b, a):
		return nil, nil
	case !followable(b, a) || len(b.Content) == 0 || len(a.Content) == 0:
		return nil, errors.New("the whole document is new")
	}
	s := splicers.Get().(*splicer)
	defer splicers.Put(s)
	s.begin(text, before, past)
	if err := s.collection(s.root, after.Content[0]); err != nil || len(s.edits) == 0 {
		return nil, err
	}
	if err := s.order(); err != nil {
		return nil, err
	}
	if len(s.Text) > len(text) {
		s.unend(text)
	}
	s.result = edit.Append(s.result[:0], text, s.edits)
	err := readsBackAs(s.result, after)
	switch {
	case err != nil && read.EndsOpen(text):
		return nil, errOpenScalar
	case err != nil:
		return nil, err
	case bytes.Equal(text, s.result):
		return nil, nil
	}
	return slices.Clone(s.edits), nil
}

// ErrNotFollowed is the error for a text that the reader cannot follow; see read.Obstacle.
var ErrNotFollowed = errors.New("it is written in a way that cannot be followed")

var errOpenScalar = errors.New("there is no newline after the last line, which belongs to a block scalar; " +
	"some programs read the scalar with a newline, others without; add a newline at the end")

// readsBackAs checks that a text holds the values of a document.
func readsBackAs(result []byte, after *node.Node) error {
	arena := read.Borrow()
	defer arena.Return()
	found, err := arena.Document(result)
	if err != nil {
		return fmt.Errorf("the edited text cannot be parsed: %w", err)
	}
	if !equal(found, after) {
		return errors.New("the edited text would have other values")
	}
	return nil
}
