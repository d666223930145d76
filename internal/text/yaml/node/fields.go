package node

import (
	"iter"
	"slices"
)

// Fields iterates over the keys of a mapping, those of merge keys last, with the values that Get returns.
func Fields(m *Node) iter.Seq2[string, *Node] {
	return func(yield func(key string, value *Node) bool) {
		m := merged(m)
		for i := 0; i+1 < len(m.Content); i += 2 {
			if key := m.Content[i]; key.Kind == ScalarNode && !yield(key.Value, Resolve(m.Content[i+1])) {
				return
			}
		}
	}
}

// Keys returns the keys of a mapping, in the order of Fields.
func Keys(m *Node) []string {
	var keys []string
	for key := range Fields(m) {
		keys = append(keys, key)
	}
	return keys
}

// DifferingKeys returns the keys of two mappings whose values differ, sorted.
func DifferingKeys(a, b *Node) []string {
	inA, inB := Values(a), Values(b)
	keys := slices.DeleteFunc(append(Keys(a), Keys(b)...), func(key string) bool { return Equal(inA.Get(key), inB.Get(key)) })
	slices.Sort(keys)
	return slices.Compact(keys)
}

// fewKeys is how many keys are compared one by one. More are looked up in a map.
const fewKeys = 16

// Lookup finds values of a mapping by their keys, as they are written: they may be aliases.
type Lookup struct {
	few  *Node            // the mapping, if it has few keys
	many map[string]*Node // if it has more
}

// Values returns a Lookup for the keys of a mapping and its merge keys. It is faster than Get for many keys.
func Values(m *Node) Lookup { return OwnValues(merged(m)) }

// OwnValues is like Values without merge keys, and without following an alias to the mapping.
func OwnValues(m *Node) Lookup {
	if len(m.Content) <= 2*fewKeys {
		return Lookup{few: m}
	}
	many := make(map[string]*Node, len(m.Content)/2)
	for i := len(m.Content) - 2; i >= 0; i -= 2 { // the first one counts if a key is there twice
		many[m.Content[i].Value] = m.Content[i+1]
	}
	return Lookup{many: many}
}

// Get returns the value of a key, or nil.
func (l Lookup) Get(key string) *Node {
	if l.few == nil {
		return l.many[key]
	}
	return OwnValue(l.few, key)
}
