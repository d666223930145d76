package engine

import (
	"bytes"

	"pillion.dev/pillion/internal/text/yaml/lex"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// identities are the annotations by which an orchestrator finds an item again in the reply.
var identities = []string{"internal.config.kubernetes.io/id", "config.k8s.io/id"}

// dropIdentity removes the ids from an item if kpt would move its comments to the wrong entries, and reports whether it
// did. kpt copies comments and key order from the item that it sent, and pairs list entries by index. An entry that was
// inserted before others would get the next one's comments, setters included. Without ids, kpt takes the item with its
// own comments.
func dropIdentity(text []byte, before, after, object *node.Node) bool {
	annotations := node.Get(object, "metadata", "annotations")
	if node.Get(annotations, identities[0]) == nil && node.Get(annotations, identities[1]) == nil {
		return false
	}
	if !misleads(text, 0, before, after) {
		return false
	}
	owned := node.Own(node.Own(object, "metadata"), "annotations")
	for _, identity := range identities {
		node.Delete(owned, identity)
	}
	return true
}

// misleads reports whether pairing by index pairs different entries of a list that has comments, or in another order of
// keys. The offset is behind the key of the value.
func misleads(text []byte, behind int, before, after *node.Node) bool {
	if before == after || before.Kind != after.Kind || before.Kind == node.AliasNode {
		return false
	}
	if before.Kind == node.MappingNode {
		for i := 0; i+1 < len(after.Content); i += 2 {
			at := node.Index(before, after.Content[i].Value)
			if at >= 0 && misleads(text, int(before.Content[at].End), before.Content[at+1], after.Content[i+1]) {
				return true
			}
		}
		return false
	}
	hasComment := len(before.Content) > 0 &&
		bytes.IndexByte(text[behind:lex.SkipSpace(text, int(before.End))], '#') >= 0
	for i := range min(len(before.Content), len(after.Content)) {
		was := before.Content[i]
		is := after.Content[i]
		switch {
		case was.Start == is.Start:
			if misleads(text, int(was.Start), was, is) {
				return true
			}
		case hasComment || node.IsRead(is) && !sameKeyOrder(was, is):
			return true
		}
	}
	return false
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
