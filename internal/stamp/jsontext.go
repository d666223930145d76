package stamp

import (
	"errors"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/parse"
)

// JSON in an annotation is read by JSON's rules: to YAML, U+0085 is a line break, and a surrogate pair an error.

var errNotOne = errors.New("it is not one JSON value whose keys are there once, of whole characters")

// readJSON returns the nodes of a JSON value. Numbers stay as they are written.
func readJSON(text string) (*yaml.Node, error) {
	n, ok := parse.JSON([]byte(text))
	if !ok || lex.HasLoneSurrogate(text) || !isDistinct(n, 0) {
		return nil, errNotOne
	}
	n = node.Fresh(n)
	node.Visit(n, func(n *yaml.Node) {
		if n.Style == 0 && n.Tag == "!!str" { // a number that is too large for a float
			n.Tag = "!!float"
		}
	})
	return n, nil
}

// isDistinct reports whether no object has a key twice, and nothing is too deep.
func isDistinct(n *yaml.Node, depth int) bool {
	if depth > maxDepth {
		return false
	}
	seen := make(map[string]bool, len(n.Content))
	for i, child := range n.Content {
		switch isKey := n.Kind == yaml.MappingNode && i%2 == 0; {
		case isKey && seen[child.Value], !isKey && !isDistinct(child, depth+1):
			return false
		case isKey:
			seen[child.Value] = true
		}
	}
	return true
}

// objectText is a JSON value as text.
func objectText(n *yaml.Node) string { return string(appendJSON(nil, n)) }

func appendJSON(dst []byte, n *yaml.Node) []byte {
	switch {
	case n.Kind == yaml.MappingNode:
		dst = append(dst, '{')
		for i := 0; i+1 < len(n.Content); i += 2 {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendJSON(append(appendString(dst, n.Content[i].Value), ':'), n.Content[i+1])
		}
		return append(dst, '}')
	case n.Kind == yaml.SequenceNode:
		dst = append(dst, '[')
		for i, entry := range n.Content {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendJSON(dst, entry)
		}
		return append(dst, ']')
	case n.ShortTag() == "!!str":
		return appendString(dst, n.Value)
	case node.IsNull(n):
		return append(dst, "null"...)
	default:
		return append(dst, n.Value...)
	}
}
