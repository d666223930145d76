package transformers

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// Adoptable tells whether an entry of a list of the pod spec can be taken for one that an injector put in,
// without a stamp: it is equal but for its image and the order of its entries.
func Adoptable(present, wanted *yaml.Node) bool {
	return present != nil && wanted != nil && equalButForOrder(withoutImage(present), withoutImage(wanted))
}

// Mounts tells whether a container mounts a volume, or has it as a device.
func Mounts(container *yaml.Node, volume string) bool {
	return slices.ContainsFunc([]shareable{mounts, devices}, func(s shareable) bool {
		return named(node.List(container, s.list), volume) >= 0
	})
}

func withoutImage(container *yaml.Node) *yaml.Node {
	c := node.Clone(container)
	node.Delete(c, "image")
	return c
}

// equalButForOrder tells whether two nodes say the same where the order of entries that have
// names, such as variables and mounts, does not count. The words of a command stay in order.
func equalButForOrder(a, b *yaml.Node) bool {
	a, b = node.Resolve(a), node.Resolve(b)
	switch {
	case node.IsNull(a) || node.IsNull(b) || a.Kind != b.Kind:
		return node.Equal(a, b)
	case a.Kind == yaml.MappingNode:
		keys := append(node.Keys(a), node.Keys(b)...)
		inA, inB := node.Values(a), node.Values(b)
		return !slices.ContainsFunc(keys, func(key string) bool { return !equalButForOrder(inA(key), inB(key)) })
	case a.Kind == yaml.SequenceNode:
		return len(a.Content) == len(b.Content) && sameEntries(a.Content, b.Content)
	default:
		return node.Equal(a, b)
	}
}

func sameEntries(a, b []*yaml.Node) bool {
	const most = 200 // each is held against each
	left := slices.Clone(b)
	for _, entry := range a {
		at := 0
		if node.Resolve(entry).Kind == yaml.MappingNode && len(a) <= most {
			at = slices.IndexFunc(left, func(other *yaml.Node) bool { return equalButForOrder(entry, other) })
		}
		if at < 0 || !equalButForOrder(entry, left[at]) {
			return false
		}
		left = slices.Delete(left, at, at+1)
	}
	return true
}
