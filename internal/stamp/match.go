package stamp

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// matchInOrder returns for each entry of a list the index that it had in an earlier version, or -1. An entry that is neither the
// same nor a copy matches one of its key if that has kept its place among the others. The result uses the given memory.
func matchInOrder(old []int, path string, were, are []*yaml.Node) []int {
	old = append(old, make([]int, len(are))...)
	front, back := node.Shared(were, are)
	m := newMatcher(path, were[front:len(were)-back], front)
	for i, entry := range are {
		switch {
		case i < front:
			old[i] = i
		case i >= len(are)-back:
			old[i] = i - len(are) + len(were)
		default:
			old[i] = m.same(entry)
		}
	}
	if len(m.entries) == 0 {
		return old
	}
	highest, lowest := -1, lowestBehind(old)
	for i, entry := range are {
		if old[i] < 0 {
			old[i] = m.sameKey(entry, func(j int) bool { return highest < j && j < lowest[i] })
		}
		highest = max(highest, old[i])
	}
	return old
}

// matchAnywhere returns for each wanted entry of a list the index of the present one, or -1: the same entry, or one of its key.
func matchAnywhere(path string, present, wanted []*yaml.Node) []int {
	now := make([]int, len(wanted))
	m := newMatcher(path, present, 0)
	for i, entry := range wanted {
		now[i] = m.same(entry)
	}
	for i, entry := range wanted {
		if now[i] < 0 && !node.IsRestored(entry) { // a restored entry goes to where it was
			now[i] = m.sameKey(entry, func(int) bool { return true })
		}
	}
	return now
}

// matcher finds entries of a list, and each only once by its key.
type matcher struct {
	path    string
	entries []*yaml.Node
	first   int // the index of the first of the entries in the list
	taken   []bool
	byPlace map[node.Identity]int
	byNode  map[*yaml.Node]int
	byKey   map[string][]int // of the entries that same did not find; nil until it is needed
}

// newMatcher returns a matcher for some entries of a list, of which the first one has the given index.
func newMatcher(path string, entries []*yaml.Node, first int) matcher {
	m := matcher{path: path, entries: entries, first: first}
	if len(entries) == 0 {
		return m
	}
	m.taken = make([]bool, len(entries))
	m.byPlace, m.byNode = make(map[node.Identity]int, len(entries)), make(map[*yaml.Node]int, len(entries))
	for i, entry := range entries {
		m.byNode[entry] = i
		if !node.IsNew(entry) {
			m.byPlace[node.IdentityOf(entry)] = i
		}
	}
	return m
}

// same returns the index of a node, or of the one that it is a copy of, or -1.
func (m *matcher) same(n *yaml.Node) int {
	i, known := m.byPlace[node.IdentityOf(n)]
	if node.IsNew(n) || !known {
		i, known = m.byNode[n]
	}
	if !known {
		return -1
	}
	m.taken[i] = true
	return m.first + i
}

// sameKey returns the index of the first entry that has the key of a node and is not taken, or -1 if there is none, or if it is
// not accepted.
func (m *matcher) sameKey(n *yaml.Node, accept func(i int) bool) int {
	if m.byKey == nil {
		m.byKey = map[string][]int{}
		for i, entry := range m.entries {
			if !m.taken[i] {
				key := KeyOf(m.path, entry)
				m.byKey[key] = append(m.byKey[key], m.first+i)
			}
		}
	}
	key := KeyOf(m.path, n)
	indexes := m.byKey[key]
	if len(indexes) == 0 || !accept(indexes[0]) {
		return -1
	}
	m.byKey[key] = indexes[1:]
	return indexes[0]
}
