package pod

import (
	"slices"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// EqualExceptImage reports whether two entries of a list of the pod spec are equal except for the image and for the
// order of named entries, such as variables and mounts.
func EqualExceptImage(a, b *node.Node) bool {
	return a != nil && b != nil && equalInAnyOrder(withoutImage(a), withoutImage(b))
}

// Mounts reports whether a container mounts a volume, or has it as a device.
func Mounts(container *node.Node, volume string) bool {
	return slices.ContainsFunc(Mounted(container), func(entry *node.Node) bool { return node.Text(entry, "name") == volume })
}

func withoutImage(container *node.Node) *node.Node {
	c := node.Clone(container)
	node.Delete(c, "image")
	return c
}

// equalInAnyOrder reports whether two nodes are equal, where the order of entries that are mappings does not count.
// That of scalars, such as the words of a command, does.
func equalInAnyOrder(a, b *node.Node) bool {
	a, b = node.Resolve(a), node.Resolve(b)
	switch {
	case node.IsNull(a) || node.IsNull(b) || a.Kind != b.Kind:
		return node.Equal(a, b)
	case a.Kind == node.MappingNode:
		keys := append(node.Keys(a), node.Keys(b)...)
		inA, inB := node.Values(a), node.Values(b)
		return !slices.ContainsFunc(keys, func(key string) bool { return !equalInAnyOrder(inA.Get(key), inB.Get(key)) })
	case a.Kind == node.SequenceNode:
		return len(a.Content) == len(b.Content) && haveEqualEntries(a.Content, b.Content)
	default:
		return node.Equal(a, b)
	}
}

func haveEqualEntries(a, b []*node.Node) bool {
	const most = 200 // above, entries must be in order: comparing each with each takes too long
	left := slices.Clone(b)
	for _, entry := range a {
		at := 0
		if node.Resolve(entry).Kind == node.MappingNode && len(a) <= most {
			at = slices.IndexFunc(left, func(other *node.Node) bool { return equalInAnyOrder(entry, other) })
		}
		if at < 0 || !equalInAnyOrder(entry, left[at]) {
			return false
		}
		left = slices.Delete(left, at, at+1)
	}
	return true
}

// AreRelated reports whether two containers of one name have more than the name in common: a field, or the image except
// for its tag and digest. Two that differ in a single field are related as well.
func AreRelated(a, b *node.Node) bool {
	inA, inB := node.Values(a), node.Values(b)
	differing := 0
	for key, value := range node.Fields(a) {
		if key == "name" || node.IsNull(value) {
			continue
		}
		if node.Equal(value, inB.Get(key)) {
			return true
		}
		differing++
	}
	for key, value := range node.Fields(b) {
		if node.IsNull(inA.Get(key)) && !node.IsNull(value) {
			differing++
		}
	}
	repository := SplitImage(node.Text(a, "image")).Repository
	return differing <= 1 || repository != "" && repository == SplitImage(node.Text(b, "image")).Repository
}
