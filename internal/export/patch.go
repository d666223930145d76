package export

import (
	"pillion.dev/pillion/internal/yaml/node"
)

// Patch is an entry of the patches of a kustomization or of a Flux Kustomization.
type Patch struct {
	// Comment explains the patch to its readers.
	Comment string
	// Body is a strategic merge patch, or a list of JSON patch operations.
	Body *node.Node
	// Target selects the objects to patch.
	Target Target
}

// emptyMerge returns a strategic merge patch without changes. Its target selects the objects, whatever its own kind and name.
func emptyMerge() *node.Node {
	return node.Mapping(
		node.String("apiVersion"), node.String("v1"), node.String("kind"), node.String("Any"),
		node.String("metadata"), node.Mapping(node.String("name"), node.String("any")))
}

// mappingAt returns the mapping at a path, which it creates if it is missing.
func mappingAt(root *node.Node, keys ...string) *node.Node {
	for _, key := range keys {
		next := node.Get(root, key)
		if next == nil {
			next = node.Mapping()
			node.Set(root, key, next)
		}
		root = next
	}
	return root
}
