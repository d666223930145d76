package splice

import (
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/edit"
	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/parse"
)

// revision is a text that edits made of another one, and the document that it should hold.
type revision struct {
	text  []byte
	edits []edit.Edit
	after *yaml.Node
}

// readBack checks that the text holds the values of the document. If that is certain without reading what the edits do not touch, it
// is not read again. Builds with the tag fullreadback read all of it nevertheless, and panic if that makes a difference.
func (r revision) readBack(from *parse.Arena, before *yaml.Node, lines lex.Lines) error {
	same, known := r.rereads(from, before, lines)
	if same && !fullReadBack {
		return nil
	}
	err := readsBackAs(from, r.text, r.after)
	if fullReadBack && known && same != (err == nil) {
		panic(fmt.Sprintf("reading back only the edits gives %v, and reading back everything gives %v, of %q", same, err, r.text))
	}
	return err
}

// rereads reports whether the edited text holds the values of the document, and whether that is known, because it could be read along
// the tree from before.
func (r revision) rereads(from *parse.Arena, before *yaml.Node, lines lex.Lines) (same, known bool) {
	if from == nil {
		return false, false
	}
	arena := from.Borrow()
	defer arena.Return()
	read, known := arena.Reread(from, before, lines, r.text, r.edits)
	return known && equal(read, r.after), known
}

// readsBackAs checks that a text holds the values of a document. It is read with an arena like the given one.
func readsBackAs(like *parse.Arena, result []byte, after *yaml.Node) error {
	arena := like.Borrow()
	defer arena.Return()
	read, err := arena.Document(result)
	if err != nil {
		return fmt.Errorf("the edited text cannot be parsed: %w", err)
	}
	if !equal(read, after) {
		return errors.New("the edited text would have other values")
	}
	return nil
}
