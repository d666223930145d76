package engine

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// identities are the annotations by which an orchestrator finds an item again in the reply.
var identities = []string{"internal.config.kubernetes.io/id", "config.k8s.io/id"}

// dropIdentity removes the ids from an item if list entries have other indexes than before, and reports whether it did. kpt copies
// comments and the order of keys from the item that it sent, and pairs list entries by index. An entry that was inserted before others
// would get the next one's comments, setters included. Without ids, kpt takes the item with its own comments.
func dropIdentity(before, after, object *yaml.Node) bool {
	annotations := node.Get(object, "metadata", "annotations")
	if node.Get(annotations, identities[0]) == nil && node.Get(annotations, identities[1]) == nil || !moves(before, after) {
		return false
	}
	owned := node.Own(node.Own(object, "metadata"), "annotations")
	for _, identity := range identities {
		node.Delete(owned, identity)
	}
	return true
}

// moves reports whether the entry at some index of a list is another one than before.
func moves(before, after *yaml.Node) bool {
	if before == after || before.Kind != after.Kind {
		return false
	}
	if before.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(after.Content); i += 2 {
			value := node.Get(before, after.Content[i].Value)
			if value != nil && moves(value, node.Resolve(after.Content[i+1])) {
				return true
			}
		}
		return false
	}
	for i := range min(len(before.Content), len(after.Content)) {
		was, is := before.Content[i], after.Content[i]
		if node.PositionOf(was) != node.PositionOf(is) || moves(was, is) {
			return true
		}
	}
	return false
}
