package node

import "slices"

// field returns the value of a key of a mapping or of its merge keys, or nil.
func field(m *Node, key string) *Node {
	if m == nil || m.Kind != MappingNode {
		return nil
	}
	merges := false
	for i := 0; i+1 < len(m.Content); i += 2 { // in one loop, because many fields are looked for and not there
		k := m.Content[i]
		if k.Kind == ScalarNode && k.Value == key {
			return m.Content[i+1]
		}
		merges = merges || isMergeKey(k)
	}
	if !merges {
		return nil
	}
	m = merged(m)
	if i := Index(m, key); i >= 0 {
		return m.Content[i+1]
	}
	return nil
}

// Index returns the index of a key in the content of a mapping, or -1. It does not look at merge keys.
func Index(m *Node, key string) int {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if k := m.Content[i]; k.Kind == ScalarNode && k.Value == key {
			return i
		}
	}
	return -1
}

// merged returns a mapping with what its merge keys give in their place, behind its own keys. Without merge keys, it is the mapping itself.
func merged(m *Node) *Node {
	if !mayMerge(m) {
		return m
	}
	made, seen := Mapping(), map[string]bool{}
	for _, from := range append([]*Node{m}, Sources(m)...) {
		for i := 0; i+1 < len(from.Content); i += 2 {
			if key := from.Content[i]; !isMergeKey(key) && !seen[key.Value] {
				seen[key.Value] = true
				made.Content = append(made.Content, key, from.Content[i+1])
			}
		}
	}
	return made
}

// Sources returns the mappings that the merge keys of a mapping refer to, directly or by merge keys of their own, the ones that
// take precedence first. Each is listed once, so that merge keys that repeat each other cost no more than the tree has nodes.
func Sources(m *Node) []*Node {
	if !mayMerge(m) {
		return nil
	}
	s := mergeSources{seen: map[*Node]bool{m: true}}
	s.addFrom(m)
	return s.list
}

// mayMerge reports whether a mapping has a merge key, or a value that looks like one.
func mayMerge(m *Node) bool { return slices.ContainsFunc(m.Content, isMergeKey) }

func isMergeKey(key *Node) bool { return key.Tag == MergeTag }

type mergeSources struct {
	list []*Node
	seen map[*Node]bool // mappings, and lists of them
}

func (s *mergeSources) addFrom(m *Node) {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if isMergeKey(m.Content[i]) {
			s.add(Resolve(m.Content[i+1]))
		}
	}
}

func (s *mergeSources) add(source *Node) {
	if source == nil || s.seen[source] {
		return
	}
	s.seen[source] = true
	switch source.Kind {
	case MappingNode:
		s.list = append(s.list, source)
		s.addFrom(source)
	case SequenceNode:
		for _, entry := range source.Content {
			if entry = Resolve(entry); entry != nil && entry.Kind == MappingNode {
				s.add(entry)
			}
		}
	}
}

// RepeatedByMerge returns a key of a mapping that a merge key below it gives too, or nil.
func RepeatedByMerge(m *Node) *Node {
	above := map[string]*Node{}
	for i := 0; i+1 < len(m.Content); i += 2 {
		if key := m.Content[i]; !isMergeKey(key) {
			above[key.Value] = key
			continue
		}
		s := mergeSources{seen: map[*Node]bool{m: true}}
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
