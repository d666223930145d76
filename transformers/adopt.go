package transformers

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/node"
)

// Adopted is an entry of one of the pod spec's lists that was there, and is the injector's from
// now on.
type Adopted struct{ List, Name string }

// Adopted are the entries that the injector has taken over.
func (p *Pod) Adopted() []Adopted { return p.adopted }

// adopt takes over an entry that was put in without a stamp.
func (p *Pod) adopt(list string, at int, entry *yaml.Node) {
	p.note("adopts", list, entry)
	if !node.Equal(p.entries(list)[at], entry) {
		node.Own(p.Spec(), list).Content[at] = entry
	}
	p.adopted = append(p.adopted, Adopted{list, node.Text(entry, "name")})
}

// isOnlyFor tells whether a volume of the pod is mounted by containers of the payload's names, and
// by no other: one that the app uses is not taken over, lest it goes with the sidecar.
func (p *Pod) isOnlyFor(in *injector.Injector, volume string) bool {
	used := false
	for _, list := range []string{containers, initContainers} {
		for _, container := range p.entries(list) {
			if !mounts.uses(container, volume) && !devices.uses(container, volume) {
				continue
			}
			if !in.Has(node.Text(container, "name")) {
				return false
			}
			used = true
		}
	}
	return used
}

// uses tells whether a container has an entry for a volume.
func (s shareable) uses(container *yaml.Node, volume string) bool {
	return named(node.List(container, s.list), volume) >= 0
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
		return !slices.ContainsFunc(keys, func(key string) bool { return !equalButForOrder(node.Get(a, key), node.Get(b, key)) })
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
