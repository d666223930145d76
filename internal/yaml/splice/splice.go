// Package splice writes changed nodes back into the text they were parsed from,
// touching only the bytes that have to change. It knows nothing of what the nodes mean.
package splice

import (
	"cmp"
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/edit"
	"pillion.dev/pillion/internal/yaml/emit"
	"pillion.dev/pillion/internal/yaml/extent"
	"pillion.dev/pillion/internal/yaml/parse"
)

// Splice returns text with the fewest edits that make it say what after says. Before is
// the document parsed from text; after is a changed version of it: nodes with a position
// are the original's or stand for them, nodes without one are new. An error means that it
// cannot be done without touching more, and says why; Rewrite can still be used then.
//
// What is new is written in the style of its neighbours. An entry that is put before
// another goes above the comments on top of that one; an entry that is removed leaves the
// comments above it in place. The text is only returned if it reads back as after.
func Splice(text []byte, before, after *yaml.Node) ([]byte, error) {
	result, _, err := Restore(text, before, after, Past{})
	return result, err
}

// Past is what is known of a text that was changed before.
type Past struct {
	// Texts is how some of the new nodes were written once, and are again.
	Texts map[*yaml.Node]string
	// Below is how many comments and blank lines stood above new entries of lists that were there once. They are still
	// there, and the entries go below them.
	Below map[*yaml.Node]int
	// Bare is the document without what was put in before, or nil. The rest has no say in how new
	// text is written, and no comment above it is about it.
	Bare *yaml.Node
}

// Restore is Splice on a text that was changed before. It returns the edits as well.
func Restore(text []byte, before, after *yaml.Node, past Past) ([]byte, []edit.Edit, error) {
	if len(before.Content) != 1 || len(after.Content) != 1 {
		return nil, nil, errEmpty
	}
	extents, err := extent.Find(text, before, keptNodes(before, after))
	if err != nil {
		return nil, nil, err
	}
	s := &splicer{
		Map:    extents,
		text:   text,
		root:   before.Content[0],
		style:  styleOf(text, cmp.Or(past.Bare, before), past.Texts),
		bare:   placesIn(past.Bare),
		shared: sharedAnchors(text, before, after),
		below:  past.Below,
		nears:  map[*yaml.Node]*emit.Indents{},
	}
	s.style.Texts = past.Texts
	if err := s.document(before, after); err != nil {
		return nil, nil, err
	}
	if len(s.edits) == 0 {
		return text, nil, nil
	}
	result, err := s.apply()
	if err != nil {
		return nil, nil, err
	}
	if err := readsBackAs(result, after); err != nil {
		if parse.EndsOpen(text) {
			return nil, nil, errOpenScalar
		}
		return nil, nil, err
	}
	return result, edit.Known(text, s.edits, result), nil
}

var errOpenScalar = errors.New("the last line has no line end and belongs to a block scalar, " +
	"which kubectl reads with one and others without; end the last line")

var errEmpty = errors.New("the document is empty")

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

// readsBackAs makes sure that the edits say what they should, whatever the text was.
func readsBackAs(result []byte, after *yaml.Node) error {
	arena := parse.Borrow()
	defer arena.Return()
	read, err := arena.Document(result)
	if err != nil {
		return fmt.Errorf("the edited text cannot be parsed: %w", err)
	}
	if !equal(read, after) {
		return errors.New("the edited text would say something else")
	}
	return nil
}
