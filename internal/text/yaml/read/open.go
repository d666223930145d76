package read

import (
	"bytes"

	"pillion.dev/pillion/internal/text/yaml/lex"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// EndsOpen reports whether a stream ends inside of a block scalar on a line that is not ended, so that a line end would
// change the scalar. Readers that add a line end themselves read such a text differently from others.
func EndsOpen(text []byte) bool {
	if len(text) == 0 || text[len(text)-1] == '\n' {
		return false
	}
	last := 0 // where the last document begins
	for at := 0; at < len(text); at = lex.NextLine(text, at) {
		switch {
		case !lex.IsMarkerAt(text, at):
		case text[at] == '-':
			last = at
		default:
			last = lex.NextLine(text, at)
		}
	}
	return lastScalar(text[last:]) != lastScalar(append(bytes.Clone(text[last:]), '\n'))
}

// lastScalar returns the value of the scalar that a document ends with, or nothing if the document cannot be read.
func lastScalar(text []byte) string {
	n, err := Document(text)
	if err != nil {
		return ""
	}
	for n.Kind != node.AliasNode && len(n.Content) > 0 { // an alias may be inside of its own anchor
		n = n.Content[len(n.Content)-1]
	}
	return n.Value
}
