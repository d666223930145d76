package engine

import (
	"pillion.dev/pillion/internal/yaml/node"
	yamlread "pillion.dev/pillion/internal/yaml/read"
)

// identities are the annotations by which an orchestrator finds an item again in the reply.
var identities = []string{"internal.config.kubernetes.io/id", "config.k8s.io/id"}

// dropIdentity removes the ids from an item if kpt would move its comments to the wrong entries, and reports whether it did. kpt
// copies comments and key order from the item that it sent, and pairs list entries by index. An entry that was inserted
// before others would get the next one's comments, setters included. Without ids, kpt takes the item with its own comments.
func dropIdentity(text []byte, before, after, object *node.Node) bool {
	annotations := node.Get(object, "metadata", "annotations")
	if node.Get(annotations, identities[0]) == nil && node.Get(annotations, identities[1]) == nil {
		return false
	}
	if !misleads(before, after, func(_, _ *node.Node) bool { return true }) {
		return false // nothing moved, which is the common case and cheap to find out
	}
	commented, err := yamlread.CommentedAt(text) // from the nodes there, kpt would copy comments, or else an order of keys
	carriesOver := func(was, is *node.Node) bool {
		return hasComment(was, commented) || node.IsRead(is) && !sameKeyOrder(was, is)
	}
	if err != nil || !misleads(before, after, carriesOver) {
		return false
	}
	owned := node.Own(node.Own(object, "metadata"), "annotations")
	for _, identity := range identities {
		node.Delete(owned, identity)
	}
	return true
}

// misleads reports whether pairing by index pairs different entries that matter.
func misleads(before, after *node.Node, matter func(was, is *node.Node) bool) bool {
	if before == after || before.Kind != after.Kind {
		return false
	}
	if before.Kind == node.MappingNode {
		for i := 0; i+1 < len(after.Content); i += 2 {
			value := node.Get(before, after.Content[i].Value)
			if value != nil && misleads(value, node.Resolve(after.Content[i+1]), matter) {
				return true
			}
		}
		return false
	}
	for i := range min(len(before.Content), len(after.Content)) {
		was, is := before.Content[i], after.Content[i]
		if was.Start == is.Start {
			if misleads(was, is, matter) {
				return true
			}
		} else if matter(was, is) {
			return true
		}
	}
	return false
}

// hasComment reports whether a node or one inside of it is at one of the places with comments, from which kpt would copy them.
func hasComment(n *node.Node, commented map[int32]bool) bool {
	found := false
	node.Visit(n, func(n *node.Node) { found = found || commented[n.Start] })
	return found
}

// sameKeyOrder reports whether sorting the keys of b by those of a is sure to leave them as they are.
func sameKeyOrder(a, b *node.Node) bool {
	if a.Kind != b.Kind {
		return true // there is nothing to sort by
	}
	if len(a.Content) != len(b.Content) {
		return false
	}
	for i := range a.Content {
		isKey := a.Kind == node.MappingNode && i%2 == 0
		if isKey && a.Content[i].Value != b.Content[i].Value || !sameKeyOrder(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}
