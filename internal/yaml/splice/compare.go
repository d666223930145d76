package splice

import (
	"bytes"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// unchanged reports whether nothing has to be written for a node. It fails if the change would spread to the places of an alias.
func (s *splicer) unchanged(before, after *yaml.Node) (bool, error) {
	if sameText(before, after) {
		return true, nil
	}
	if line, isShared := s.shared[before]; isShared && before.Kind == after.Kind && node.IsRead(after) {
		return false, fmt.Errorf("the anchor &%s on line %d is used by an alias on line %d, which would change too",
			before.Anchor, before.Line, line)
	}
	return false, nil
}

// sameText reports whether a node has the value that the text has there. It does not follow aliases that stay.
func sameText(b, a *yaml.Node) bool {
	if b == a {
		return true
	}
	if b.Kind == yaml.AliasNode && a.Kind == yaml.AliasNode {
		return b.Value == a.Value
	}
	if b.Kind != a.Kind || len(b.Content) != len(a.Content) {
		return false
	}
	if b.Kind == yaml.ScalarNode {
		return sameScalar(b, a)
	}
	return b.ShortTag() == a.ShortTag() && slices.EqualFunc(b.Content, a.Content, sameText)
}

// sameScalar reports whether two scalars have the same value. yes and "yes" differ, because YAML 1.1 takes the one without quotes for
// a boolean.
func sameScalar(b, a *yaml.Node) bool {
	if b.Tag == a.Tag && b.Value == a.Value {
		return node.IsPlainBool(b) == node.IsPlainBool(a)
	}
	tag := b.ShortTag()
	if tag == a.ShortTag() {
		return b.Value == a.Value || tag == "!!null"
	}
	return (node.IsPlainBool(b) || node.IsPlainBool(a)) && node.Equal(b, a)
}

// equal reports whether two trees have the same values, with aliases followed.
func equal(x, y *yaml.Node) bool { return comparison{}.equal(x, y) }

// comparison stores which anchored nodes are equal, because aliases of aliases would be compared over and over.
type comparison map[[2]*yaml.Node]bool

func (c comparison) equal(x, y *yaml.Node) bool {
	if x == y {
		return true
	}
	if x.Kind == yaml.AliasNode || y.Kind == yaml.AliasNode {
		return c.aliases(x, y)
	}
	if x.Kind != y.Kind || len(x.Content) != len(y.Content) {
		return false
	}
	if x.Kind == yaml.ScalarNode {
		return sameScalar(x, y)
	}
	return (x.Kind == yaml.DocumentNode || x.ShortTag() == y.ShortTag()) && slices.EqualFunc(x.Content, y.Content, c.equal)
}

func (c comparison) aliases(x, y *yaml.Node) bool {
	x, y = node.Resolve(x), node.Resolve(y)
	pair := [2]*yaml.Node{x, y}
	if known, ok := c[pair]; ok {
		return known
	}
	c[pair] = true // so that a circle ends
	c[pair] = c.equal(x, y)
	return c[pair]
}

// sharedAnchors returns the anchored nodes that aliases refer to, as far as the changed version
// still has those aliases, with the line of one alias.
func sharedAnchors(text []byte, before, after *yaml.Node) map[*yaml.Node]int {
	if bytes.IndexByte(text, '&') < 0 {
		return nil
	}
	left := map[node.Identity]bool{}
	node.Visit(after, func(n *yaml.Node) {
		if n.Kind == yaml.AliasNode {
			left[node.IdentityOf(n)] = true
		}
	})
	shared := map[*yaml.Node]int{}
	node.Visit(before, func(n *yaml.Node) {
		if n.Kind == yaml.AliasNode && left[node.IdentityOf(n)] {
			shared[n.Alias] = n.Line
		}
	})
	return shared
}

// followable reports whether the children of a collection can be changed in its text: it is the original, or a new one around
// entries of the original.
func followable(b, a *yaml.Node) bool {
	if b.Kind != a.Kind || b.Kind != yaml.MappingNode && b.Kind != yaml.SequenceNode || b.ShortTag() != a.ShortTag() {
		return false
	}
	return node.IsSame(b, a) || slices.ContainsFunc(a.Content, node.IsRead)
}
