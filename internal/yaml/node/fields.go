package node

import (
	"iter"
	"slices"
)

// Fields iterates over the keys of a mapping, each once, those of merge keys last, with the values that Get returns.
func Fields(m *Node) iter.Seq2[string, *Node] {
	return func(yield func(key string, value *Node) bool) { eachField(Resolve(m), yield) }
}

func eachField(m *Node, yield func(key string, value *Node) bool) {
	if m == nil || m.Kind != MappingNode {
		return
	}
	if len(m.Content) > 2*fewKeys || !hasUsualKeys(m) {
		values := Values(m)
		for _, key := range mergedKeys(m) {
			if !yield(key, values.Get(key)) {
				return
			}
		}
		return
	}
	for i := 0; i+1 < len(m.Content); i += 2 {
		key := m.Content[i].Value
		if Index(m, key) == i && !yield(key, Resolve(m.Content[i+1])) {
			return
		}
	}
}

// hasUsualKeys reports whether all keys of a mapping are scalars, and none is a merge key.
func hasUsualKeys(m *Node) bool {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if key := m.Content[i]; key.Kind != ScalarNode || isMergeKey(key) {
			return false
		}
	}
	return true
}

// mergedKeys returns the keys of a mapping, and then those of its merge keys, each once.
func mergedKeys(m *Node) []string {
	seen := map[string]bool{}
	var keys []string
	for _, from := range append([]*Node{m}, Sources(m)...) {
		for i := 0; i+1 < len(from.Content); i += 2 {
			if key := from.Content[i]; !isMergeKey(key) && !seen[key.Value] {
				seen[key.Value] = true
				keys = append(keys, key.Value)
			}
		}
	}
	return keys
}

// Keys returns the keys of a mapping, in the order of Fields.
func Keys(m *Node) []string {
	if m = Resolve(m); m == nil || m.Kind != MappingNode || len(m.Content) == 0 {
		return nil
	}
	return appendKeys(make([]string, 0, len(m.Content)/2), m)
}

// DifferingKeys returns the keys of two mappings whose values differ, sorted.
func DifferingKeys(a, b *Node) []string {
	inA, inB := Values(a), Values(b)
	keys := slices.DeleteFunc(append(Keys(a), Keys(b)...), func(key string) bool { return Equal(inA.Get(key), inB.Get(key)) })
	slices.Sort(keys)
	return slices.Compact(keys)
}

func appendKeys(dst []string, m *Node) []string {
	for key := range Fields(m) {
		dst = append(dst, key)
	}
	return dst
}
