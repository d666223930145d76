// Package splice writes changed nodes back into the text they were parsed from, and changes only the bytes that have to change.
package splice

import (
	"cmp"
	"errors"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/edit"
	"pillion.dev/pillion/internal/yaml/extent"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/parse"
)

// Splice returns text with the smallest edits that change the document in it from before to after. Nodes of after that have
// the identity of nodes of before stay where they are; see package node. It fails if that is not possible without changing more;
// then Rewrite can be used.
//
// New text is written in the style of its neighbours. An entry that is inserted before another goes above the comments of that
// one; an entry that is removed leaves the comments above it in place. The text is returned only if it reads back as after.
func Splice(text []byte, before, after *yaml.Node) ([]byte, error) {
	result, _, err := Restore(text, before, after, Past{})
	return result, err
}

// Past describes how a text was changed before.
type Past struct {
	// Texts is how some of the new nodes were written before they were removed. They are written like that again.
	Texts map[*yaml.Node]string
	// Below is how many comments and blank lines were above some of the new entries before they were removed. These lines are
	// still there, and the entries go below them.
	Below map[*yaml.Node]int
	// Pristine is the document without everything that was added before, or nil. Only its nodes decide on the style of new
	// text, and only they can have comments above them.
	Pristine *yaml.Node
	// Arena is the one that the document was read with, or nil. With it, the result can be read back faster; see parse.Arena.Reread.
	// The document must be as it was read.
	Arena *parse.Arena
}

// Restore splices a text that was changed before. It returns the edits as well.
func Restore(text []byte, before, after *yaml.Node, past Past) ([]byte, []edit.Edit, error) {
	if len(before.Content) != 1 || len(after.Content) != 1 {
		return nil, nil, errEmpty
	}
	extents, err := past.extents(text, before, after)
	if err != nil {
		return nil, nil, err
	}
	s := &splicer{
		Map:    extents,
		text:   text,
		root:   before.Content[0],
		style:  styleOf(text, cmp.Or(past.Pristine, before), past.Texts),
		shared: sharedAnchors(text, before, after),
		below:  past.Below,
		lines:  make([]byte, 0, usualLines),
	}
	s.style.Texts = past.Texts
	if past.Pristine != nil {
		s.pristine = map[node.Identity]bool{}
		node.Visit(past.Pristine, func(n *yaml.Node) { s.pristine[node.IdentityOf(n)] = true })
	}
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
	edits := edit.Known(text, s.edits, result)
	err = revision{result, edits, after}.readBack(past.Arena, before, s.Lines)
	if err != nil && parse.EndsOpen(text) {
		err = errOpenScalar
	}
	if err != nil {
		return nil, nil, err
	}
	return result, edits, nil
}

// usualLines is room for the lines of a small container.
const usualLines = 512

// extents finds where the nodes are that may be changed.
func (p Past) extents(text []byte, before, after *yaml.Node) (*extent.Map, error) {
	if p.Arena != nil && p.Arena.HasRead(before, text) {
		return extent.FindOnDemand(text, before, after), nil
	}
	return extent.Find(text, before, after)
}

var (
	errEmpty      = errors.New("the document is empty")
	errOpenScalar = errors.New("the last line has no line end and belongs to a block scalar, " +
		"which some programs read with a line end and others without; end the last line")
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
