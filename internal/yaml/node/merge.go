package node

import "go.yaml.in/yaml/v3"

// field returns the value of a key of a mapping or of its merge keys, or nil.
func field(m *yaml.Node, key string) *yaml.Node {
	if m == nil || m.Kind != yaml.MappingNode {
		return nil
	}
	if i := Index(m, key); i >= 0 {
		return m.Content[i+1]
	}
	for _, source := range Sources(m) {
		if i := Index(source, key); i >= 0 {
			return source.Content[i+1]
		}
	}
	return nil
}

// Index returns the index of a key in the content of a mapping, or -1. It does not look at merge keys.
func Index(m *yaml.Node, key string) int {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if k := m.Content[i]; k.Kind == yaml.ScalarNode && k.Value == key {
			return i
		}
	}
	return -1
}

// Sources returns the mappings that the merge keys of a mapping refer to, directly or by merge keys of their own, the ones that
// take precedence first. Each is listed once, so that merge keys that repeat each other cost no more than the tree has nodes.
func Sources(m *yaml.Node) []*yaml.Node {
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

// RepeatedByMerge returns a key of a mapping that a merge key below it gives too, or nil.
func RepeatedByMerge(m *yaml.Node) *yaml.Node {
	above := map[string]*yaml.Node{}
	for i := 0; i+1 < len(m.Content); i += 2 {
		if key := m.Content[i]; !isMergeKey(key) {
			above[key.Value] = key
			continue
		}
		s := mergeSources{seen: map[*yaml.Node]bool{m: true}}
		s.add(Resolve(m.Content[i+1]))
		for _, source := range s.list {
			for j := 0; j < len(source.Content); j += 2 {
				if key := above[source.Content[j].Value]; key != nil {
					return key
				}
			}
		}
	}
	return nil
}
