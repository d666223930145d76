package splice

import (
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// sharing returns a copy of the collections of a document, which shares its scalars.
func sharing(n *node.Node) *node.Node {
	if n.Kind == node.ScalarNode || n.Kind == node.AliasNode {
		return n
	}
	c := node.Clone(n)
	for i := range c.Content {
		c.Content[i] = sharing(c.Content[i])
	}
	return c
}

func readIn(arena *read.Arena, text []byte) *node.Node {
	document, err := arena.Document(text)
	if err != nil || len(document.Content) != 1 {
		return nil
	}
	return document
}
