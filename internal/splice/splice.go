// Package splice writes changed nodes back into the text they were parsed from,
// touching only the bytes that have to change. It knows nothing of what the nodes mean.
package splice

import (
	"errors"

	"go.yaml.in/yaml/v3"
)

// Splice returns text with the fewest edits that make it say what after says. Before is
// the document parsed from text; after is a node.Copy of it that was changed: nodes with a
// position are the original's, nodes without one are new. An error means that it
// cannot be done without touching more, and says why; Rewrite can still be used then.
func Splice(text []byte, before, after *yaml.Node) ([]byte, error) {
	return nil, errors.New("not built yet")
}

// Rewrite writes the whole document anew, in the style of text where that can be told.
func Rewrite(text []byte, after *yaml.Node) ([]byte, error) {
	return nil, errors.New("not built yet")
}
