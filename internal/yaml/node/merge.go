package node

import "go.yaml.in/yaml/v3"

// field is the value of a key that a mapping has itself, or that its merge keys bring in; nil where there is none.
func field(m *yaml.Node, key string) *yaml.Node {
	if m == nil || m.Kind != yaml.MappingNode {
		return nil
	}
	if i := own(m, key); i >= 0 {
		return m.Content[i+1]
	}
	for _, source := range sources(m) {
		if i := own(source, key); i >= 0 {
			return source.Content[i+1]
		}
	}
	return nil
}

// own is the index of the key that the mapping itself has, or -1.
func own(m *yaml.Node, key string) int {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if k := m.Content[i]; k.Kind == yaml.ScalarNode && k.Value == key {
			return i
		}
	}
	return -1
}

// sources are the mappings that the merge keys of a mapping bring in, directly or by merge keys of their own, the strongest
// first. Each is there once, so that a list of merge keys that names the same mapping again and again, or itself, costs no more
// than the tree has nodes.
func sources(m *yaml.Node) []*yaml.Node {
	if !hasMergeKey(m) {
		return nil
	}
	s := mergeSources{seen: map[*yaml.Node]bool{m: true}}
	s.addFrom(m)
	return s.list
}

func hasMergeKey(m *yaml.Node) bool {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if isMergeKey(m.Content[i]) {
			return true
		}
	}
	return false
}

func isMergeKey(key *yaml.Node) bool { return key.Tag == "!!merge" }

type mergeSources struct {
	list []*yaml.Node
	seen map[*yaml.Node]bool // mappings, and lists of them
}

func (s *mergeSources) addFrom(m *yaml.Node) {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if isMergeKey(m.Content[i]) {
			s.add(Resolve(m.Content[i+1]))
		}
	}
}

func (s *mergeSources) add(source *yaml.Node) {
	if source == nil || s.seen[source] {
		return
	}
	s.seen[source] = true
	switch source.Kind {
	case yaml.MappingNode:
		s.list = append(s.list, source)
		s.addFrom(source)
	case yaml.SequenceNode:
		for _, entry := range source.Content {
			if entry = Resolve(entry); entry != nil && entry.Kind == yaml.MappingNode {
				s.add(entry)
			}
		}
	}
}
