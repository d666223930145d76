package node

import "go.yaml.in/yaml/v3"

// fewKeys is up to how many nodes of a mapping are looked through one by one, which is quicker than a map.
const fewKeys = 32

// Lookup returns a function that finds the values that a mapping itself has by their keys; what a merge key
// brings in is not its own. A large mapping is looked through once, however many keys are asked for.
func Lookup(m *yaml.Node) func(key string) *yaml.Node {
	if m == nil || m.Kind != yaml.MappingNode {
		return func(string) *yaml.Node { return nil }
	}
	if len(m.Content) <= fewKeys {
		return func(key string) *yaml.Node {
			for i := 0; i+1 < len(m.Content); i += 2 {
				if m.Content[i].Value == key {
					return m.Content[i+1]
				}
			}
			return nil
		}
	}
	values := make(map[string]*yaml.Node, len(m.Content)/2)
	for i := 0; i+1 < len(m.Content); i += 2 {
		if key := m.Content[i].Value; values[key] == nil {
			values[key] = m.Content[i+1]
		}
	}
	return func(key string) *yaml.Node { return values[key] }
}

// hasMergeKey tells whether a mapping takes over keys of others.
func hasMergeKey(m *yaml.Node) bool {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Tag == "!!merge" {
			return true
		}
	}
	return false
}

// Fields returns a function that finds what Get does, in a large mapping without merge keys as quickly as Lookup.
func Fields(m *yaml.Node) func(key string) *yaml.Node {
	m = Resolve(m)
	if m == nil || m.Kind != yaml.MappingNode || !hasMergeKey(m) {
		lookup := Lookup(m)
		return func(key string) *yaml.Node { return Resolve(lookup(key)) }
	}
	return func(key string) *yaml.Node { return Resolve(field(m, key, 0)) }
}
