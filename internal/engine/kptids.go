package engine

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/parse"
)

// identities are the annotations by which an orchestrator finds an item again in the reply.
var identities = []string{"internal.config.kubernetes.io/id", "config.k8s.io/id"}

// dropIdentity removes the ids from an item if kpt would move its comments to the wrong entries, and reports whether it did. kpt
// copies comments and key order from the item that it sent, and pairs list entries by index. An entry that was inserted
// before others would get the next one's comments, setters included. Without ids, kpt takes the item with its own comments.
func dropIdentity(text []byte, before, after, object *yaml.Node) bool {
	annotations := node.Get(object, "metadata", "annotations")
	if node.Get(annotations, identities[0]) == nil && node.Get(annotations, identities[1]) == nil {
		return false
	}
	if !misleads(before, after, func(_, _ *yaml.Node) bool { return true }) {
		return false // nothing moved, which is the common case and cheap to find out
	}
	commented, err := parse.Commented(text)
	if err != nil || !misleads(commented, after, carriesOver) {
		return false
	}
	owned := node.Own(node.Own(object, "metadata"), "annotations")
	for _, identity := range identities {
		node.Delete(owned, identity)
	}
	return true
}

// misleads reports whether pairing by index pairs different entries that matter.
func misleads(before, after *yaml.Node, matter func(was, is *yaml.Node) bool) bool {
	if before == after || before.Kind != after.Kind {
		return false
	}
	if before.Kind == yaml.MappingNode {
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
		if node.PositionOf(was) == node.PositionOf(is) {
			if misleads(was, is, matter) {
				return true
			}
		} else if matter(was, is) {
			return true
		}
	}
	return false
}

// carriesOver reports whether kpt would copy a comment or an order of keys from one entry to another.
func carriesOver(was, is *yaml.Node) bool {
	return hasComment(was) || node.IsRead(is) && !sameKeyOrder(was, is)
}

func hasComment(n *yaml.Node) bool {
	return n.HeadComment != "" || n.LineComment != "" || n.FootComment != "" || slices.ContainsFunc(n.Content, hasComment)
}

// sameKeyOrder reports whether sorting the keys of b by those of a is sure to leave them as they are.
func sameKeyOrder(a, b *yaml.Node) bool {
	if a.Kind != b.Kind {
		return true // there is nothing to sort by
	}
	if len(a.Content) != len(b.Content) {
		return false
	}
	for i := range a.Content {
		isKey := a.Kind == yaml.MappingNode && i%2 == 0
		if isKey && a.Content[i].Value != b.Content[i].Value || !sameKeyOrder(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}
