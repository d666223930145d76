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
	m = merged(m)
	values := OwnValues(m)
	for i := 0; i+1 < len(m.Content); i += 2 {
		key, value := m.Content[i].Value, m.Content[i+1]
		isFirst := values.Get(key) == value // a key may be there twice
		if isFirst && !yield(key, Resolve(value)) {
			return
		}
	}
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
