package node

import "go.yaml.in/yaml/v3"

// fewKeys is how many keys are compared one by one. More are looked up in a map.
const fewKeys = 16

// Lookup finds values of a mapping by their keys.
type Lookup struct {
	few      *yaml.Node            // the mapping, if it has few keys
	many     map[string]*yaml.Node // if it has more
	resolves bool
}

// Values returns a Lookup for the keys of a mapping that finds what Get does. It is faster for many keys.
func Values(m *yaml.Node) Lookup {
	m = Resolve(m)
	values := OwnValues(m)
	if m != nil && m.Kind == yaml.MappingNode && hasMergeKey(m) {
		values = Lookup{many: map[string]*yaml.Node{}}
		addValues(values.many, m)
		for _, source := range Sources(m) {
			addValues(values.many, source)
		}
	}
	values.resolves = true
	return values
}

// OwnValues is like Values without merge keys and without resolving.
func OwnValues(m *yaml.Node) Lookup {
	switch {
	case m == nil || m.Kind != yaml.MappingNode:
		return Lookup{}
	case len(m.Content) <= 2*fewKeys:
		return Lookup{few: m}
	}
	values := make(map[string]*yaml.Node, len(m.Content)/2)
	addValues(values, m)
	return Lookup{many: values}
}

// IsIndex reports whether the Lookup holds an index of the keys, which took time to create.
func (l Lookup) IsIndex() bool { return l.many != nil }

// Get returns the value of a key, or nil.
func (l Lookup) Get(key string) *yaml.Node {
	value := l.many[key]
	if l.few != nil {
		if i := Index(l.few, key); i >= 0 {
			value = l.few.Content[i+1]
		}
	}
	if l.resolves {
		return Resolve(value)
	}
	return value
}

// addValues adds the values of a mapping's own keys, except keys that are there already.
func addValues(values map[string]*yaml.Node, m *yaml.Node) {
	for i := 0; i+1 < len(m.Content); i += 2 {
		key := m.Content[i]
		if _, has := values[key.Value]; !has && key.Kind == yaml.ScalarNode {
			values[key.Value] = m.Content[i+1]
		}
	}
}
