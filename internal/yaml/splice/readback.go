package splice

import (
	"errors"
	"fmt"

	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/read"
)

// readsBackAs checks that a text holds the values of a document. It is read with an arena like the given one.
func readsBackAs(like *read.Arena, result []byte, after *node.Node) error {
	arena := like.Borrow()
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
