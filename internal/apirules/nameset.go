package apirules

import (
	"iter"
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// nameSet is a set of names, each with an owner if it needs one. It searches a few names one by one, which is faster
// than a map; more names get a map, which bounds the time that hostile input takes.
type nameSet struct {
	names []ownedName
	index map[string]int
}

type ownedName struct{ name, owner string }

// fewNames is the largest set without a map.
const fewNames = 16

// newNameSet returns the names of the entries of a list.
func newNameSet(entries []*yaml.Node) *nameSet {
	var set nameSet
	for _, entry := range entries {
		set.add(node.Text(entry, "name"))
	}
	return &set
}

// add adds a name, and reports whether the set had it already.
func (s *nameSet) add(name string) (again bool) {
	_, again = s.addOwned(name, "")
	return again
}

// addOwned adds a name with its owner. If the set had it already, addOwned returns its first owner.
func (s *nameSet) addOwned(name, owner string) (first string, again bool) {
	if i := s.find(name); i >= 0 {
		return s.names[i].owner, true
	}
	s.names = append(s.names, ownedName{name, owner})
	switch last := len(s.names) - 1; {
	case s.index != nil:
		s.index[name] = last
	case last == fewNames:
		s.index = make(map[string]int, 2*fewNames)
		for i, n := range s.names {
			s.index[n.name] = i
		}
	}
	return "", false
}

func (s *nameSet) has(name string) bool { return s.find(name) >= 0 }

// find returns the index of a name, or -1.
func (s *nameSet) find(name string) int {
	if s.index == nil {
		return slices.IndexFunc(s.names, func(n ownedName) bool { return n.name == name })
	}
	if i, found := s.index[name]; found {
		return i
	}
	return -1
}

// repeats iterates over the entries of a list in which a field has the same text as in an earlier entry, with that text.
func repeats(entries []*yaml.Node, field string) iter.Seq2[int, string] {
	return func(yield func(index int, text string) bool) {
		var texts nameSet
		for i, entry := range entries {
			if text := node.Text(entry, field); texts.add(text) && !yield(i, text) {
				return
			}
		}
	}
}
