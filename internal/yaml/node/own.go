package node

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// Clone is a copy of a node that shares its children with the original: changing which
// children it has leaves the original alone.
func Clone(n *yaml.Node) *yaml.Node {
	c := *n
	c.Content = slices.Clone(n.Content)
	return &c
}

// Own makes the value of a key safe to change and returns it: a clone takes its place. An
// alias, or a value that comes in by a merge key, becomes text of this mapping's own. The
// mapping must be owned already. Own returns nil where the mapping has no such key.
func Own(m *yaml.Node, key string) *yaml.Node {
	if i := own(m, key); i >= 0 {
		return OwnEntry(m, i+1)
	}
	merged := field(m, key)
	if merged == nil {
		return nil
	}
	value := writtenOut(merged)
	Set(m, key, value)
	return value
}

// OwnEntry is Own for an entry of a sequence, or any child by its index.
func OwnEntry(parent *yaml.Node, i int) *yaml.Node {
	if child := parent.Content[i]; child.Kind == yaml.AliasNode {
		parent.Content[i] = writtenOut(child)
	} else {
		parent.Content[i] = Clone(child)
	}
	return parent.Content[i]
}

// Set gives a key a value: in its place where the mapping has the key, else at the end.
func Set(m *yaml.Node, key string, value *yaml.Node) {
	if i := own(m, key); i >= 0 {
		m.Content[i+1] = value
		return
	}
	m.Content = append(m.Content, String(key), value)
}

// SetFirst is Set that puts a key that the mapping has not in front of the others.
func SetFirst(m *yaml.Node, key string, value *yaml.Node) {
	if own(m, key) >= 0 {
		Set(m, key, value)
		return
	}
	m.Content = append([]*yaml.Node{String(key), value}, m.Content...)
}

// Delete takes a key out of a mapping. Where a merge key would bring it in again, it is null
// from then on, which means the same.
func Delete(m *yaml.Node, key string) {
	if i := own(m, key); i >= 0 {
		m.Content = append(m.Content[:i:i], m.Content[i+2:]...)
	}
	if field(m, key) != nil {
		Set(m, key, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"})
	}
}

// Insert puts an entry into a sequence.
func Insert(s *yaml.Node, at int, entry *yaml.Node) {
	s.Content = append(s.Content[:at:at], append([]*yaml.Node{entry}, s.Content[at:]...)...)
}

// SpreadByAlias names an anchor of a changed version whose content differs from the original's,
// or is gone, while an alias still uses it: such a change reaches places that nobody asked for.
func SpreadByAlias(after *yaml.Node) (anchor string, spread bool) {
	anchored := map[Position]*yaml.Node{}
	Visit(after, func(n *yaml.Node) {
		if n.Anchor != "" {
			anchored[PositionOf(n)] = n
		}
	})
	Visit(after, func(n *yaml.Node) {
		if n.Kind != yaml.AliasNode || spread {
			return
		}
		original := n.Alias
		changed := anchored[PositionOf(original)]
		if changed != original && (changed == nil || !Equal(original, changed)) {
			anchor, spread = original.Anchor, true
		}
	})
	return anchor, spread
}

// Visit calls a function for a node and all nodes inside of it, in the order of the text. It does not follow aliases.
func Visit(n *yaml.Node, see func(*yaml.Node)) {
	see(n)
	for _, child := range n.Content {
		Visit(child, see)
	}
}
