package splice

import (
	"slices"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// sameText reports whether a node has the value that the text has there. It does not follow aliases that stay.
func sameText(b, a *node.Node) bool { return comparison(nil).equal(b, a) }

// equal reports whether two trees have the same values, with aliases followed.
func equal(x, y *node.Node) bool { return comparison{}.equal(x, y) }

// comparison compares trees. It stores which anchored nodes are equal, because aliases of aliases would be compared
// over and over; nil compares aliases by their names.
type comparison map[[2]*node.Node]bool

func (c comparison) equal(x, y *node.Node) bool {
	if x == y {
		return true
	}
	if c != nil && (x.Kind == node.AliasNode || y.Kind == node.AliasNode) {
		pair := [2]*node.Node{node.Resolve(x), node.Resolve(y)}
		if _, known := c[pair]; !known {
			c[pair] = true // so that a circle ends
			c[pair] = c.equal(pair[0], pair[1])
		}
		return c[pair]
	}
	switch {
	case x.Kind != y.Kind || len(x.Content) != len(y.Content):
		return false
	case x.Kind == node.AliasNode:
		return x.Value == y.Value
	case x.Kind == node.ScalarNode:
		return x.Tag == y.Tag && (x.Value == y.Value || x.Tag == node.NullTag)
	}
	if x.Kind != node.DocumentNode && x.Tag != y.Tag {
		return false
	}
	for i, child := range x.Content {
		if other := y.Content[i]; !isAlike(child, other) && !c.equal(child, other) {
			return false
		}
	}
	return true
}

// isAlike reports whether two nodes are scalars that are written alike, as most nodes are that are compared.
func isAlike(b, a *node.Node) bool {
	return b.Kind == node.ScalarNode && a.Kind == node.ScalarNode && b.Tag == a.Tag && b.Style == a.Style && b.Value == a.Value
}

// followable reports whether the children of a collection can be changed in its text: it is the original, or a new one
// around entries of the original.
func followable(b, a *node.Node) bool {
	if b.Kind != a.Kind || b.Kind != node.MappingNode && b.Kind != node.SequenceNode || b.Tag != a.Tag {
		return false
	}
	return node.IsSame(b, a) || slices.ContainsFunc(a.Content, node.IsRead)
}
