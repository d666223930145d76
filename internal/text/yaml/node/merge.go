package node

import "slices"

// OwnValue returns the value of a key as it is written, or nil. It does not look at merge keys.
func OwnValue(m *Node, key string) *Node {
	if m != nil && m.Kind == MappingNode {
		if i := Index(m, key); i >= 0 {
			return m.Content[i+1]
		}
	}
	return nil
}

// Index returns the index of a key in the content of a mapping, or -1. It does not look at merge keys.
func Index(m *Node, key string) int {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if k := m.Content[i]; k.Value == key && k.Kind == ScalarNode {
			return i
		}
	}
	return -1
}

// nothing is what a node that is no mapping has.
var nothing = Mapping()

// merged returns a mapping with what its merge keys give in their place, behind its own keys. Without merge keys, it is
// the mapping itself.
func merged(m *Node) *Node {
	switch m = Resolve(m); {
	case m == nil || m.Kind != MappingNode:
		return nothing
	case !merges(m):
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

func merges(m *Node) bool { return slices.ContainsFunc(m.Content, isMergeKey) }

func isMergeKey(key *Node) bool { return key.Tag == MergeTag }

// Sources returns the mappings that the merge keys of a mapping refer to, directly or by merge keys of their own, the
// ones that take precedence first. Each is listed once, so that merge keys that repeat each other cost no more than the
// tree has nodes.
func Sources(m *Node) []*Node {
	if !merges(m) {
		return nil
	}
	var found []*Node
	seen := map[*Node]bool{}
	var add func(*Node)
	add = func(n *Node) {
		if n = Resolve(n); n == nil || seen[n] {
			return
		}
		seen[n] = true
		if n.Kind == MappingNode {
			found = append(found, n)
		}
		for i, child := range n.Content {
			if n.Kind == SequenceNode || i%2 == 1 && isMergeKey(n.Content[i-1]) {
				add(child)
			}
		}
	}
	add(m)
	return found[1:]
}

// RepeatedByMerge returns a key of a mapping that a merge key below it gives too, or nil.
func RepeatedByMerge(m *Node) *Node {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if !isMergeKey(m.Content[i]) {
			continue
		}
		given := Values(Mapping(m.Content[i : i+2]...))
		for j := 0; j < i; j += 2 {
			if given.Get(m.Content[j].Value) != nil {
				return m.Content[j]
			}
		}
	}
	return nil
}
