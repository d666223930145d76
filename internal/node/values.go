package node

import "go.yaml.in/yaml/v3"

// fewKeys is how many keys are compared one by one; more are looked up.
const fewKeys = 16

// Values is a function that finds what a mapping has at a key, as Get does: for those who ask for many keys of one mapping.
func Values(m *yaml.Node) func(key string) *yaml.Node {
	m = Resolve(m)
	if m == nil || m.Kind != yaml.MappingNode || len(m.Content) <= 2*fewKeys {
		return func(key string) *yaml.Node { return Resolve(field(m, key, 0)) }
	}
	own := OwnValues(m)
	return func(key string) *yaml.Node {
		if value := own(key); value != nil {
			return Resolve(value)
		}
		return Resolve(merged(m, key, 0))
	}
}

// OwnValues is Values without what merge keys bring in.
func OwnValues(m *yaml.Node) func(key string) *yaml.Node {
	if m == nil || m.Kind != yaml.MappingNode {
		return func(string) *yaml.Node { return nil }
	}
	if len(m.Content) <= 2*fewKeys {
		return func(key string) *yaml.Node {
			if i := own(m, key); i >= 0 {
				return m.Content[i+1]
			}
			return nil
		}
	}
	values := make(map[string]*yaml.Node, len(m.Content)/2)
	for i := len(m.Content) - 2; i >= 0; i -= 2 { // of two that are the same, the first counts
		if m.Content[i].Kind == yaml.ScalarNode {
			values[m.Content[i].Value] = m.Content[i+1]
		}
	}
	return func(key string) *yaml.Node { return values[key] }
}
