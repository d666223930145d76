package node

import "go.yaml.in/yaml/v3"

// fewKeys is how many keys are compared one by one. More are looked up in a map.
const fewKeys = 16

// Values returns a function that looks up keys of a mapping, as Get does. It is faster for many keys.
func Values(m *yaml.Node) func(key string) *yaml.Node {
	m = Resolve(m)
	own := OwnValues(m)
	if m != nil && m.Kind == yaml.MappingNode && hasMergeKey(m) {
		values := map[string]*yaml.Node{}
		addValues(values, m)
		for _, source := range sources(m) {
			addValues(values, source)
		}
		own = func(key string) *yaml.Node { return values[key] }
	}
	return func(key string) *yaml.Node { return Resolve(own(key)) }
}

// OwnValues is like Values without merge keys and without resolving.
func OwnValues(m *yaml.Node) func(key string) *yaml.Node {
	if m == nil || m.Kind != yaml.MappingNode {
		return func(string) *yaml.Node { return nil }
	}
	if len(m.Content) <= 2*fewKeys {
		return func(key string) *yaml.Node {
			if i := Index(m, key); i >= 0 {
				return m.Content[i+1]
			}
			return nil
		}
	}
	values := make(map[string]*yaml.Node, len(m.Content)/2)
	addValues(values, m)
	return func(key string) *yaml.Node { return values[key] }
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
