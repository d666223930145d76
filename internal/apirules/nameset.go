package apirules

import (
	"iter"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// nameSet is a set of names, each with an owner if it needs one. It searches a few names one by one, which is faster
// than a map and needs no memory of its own; more names get a map, which bounds the time that hostile input takes.
type nameSet struct {
	few   [fewNames]ownedName
	count int               // of the few
	many  map[string]string // the owners by name, if there are more
}

type ownedName struct{ name, owner string }

// fewNames is the largest set without a map.
const fewNames = 8

// addNames adds the names of the entries of a list.
func (s *nameSet) addNames(entries []*yaml.Node) {
	for _, entry := range entries {
		s.add(node.Text(entry, "name"))
	}
}

// add adds a name, and reports whether the set had it already.
func (s *nameSet) add(name string) (again bool) {
	_, again = s.addOwned(name, "")
	return again
}

// addOwned adds a name with its owner. If the set had it already, addOwned returns its first owner.
func (s *nameSet) addOwned(name, owner string) (first string, again bool) {
	if first, again = s.find(name); again {
		return first, true
	}
	if s.many == nil && s.count < fewNames {
		s.few[s.count] = ownedName{name, owner}
		s.count++
		return "", false
	}
	if s.many == nil {
		s.many = make(map[string]string, 2*fewNames)
		for _, n := range s.few {
			s.many[n.name] = n.owner
		}
	}
	s.many[name] = owner
	return "", false
}

func (s *nameSet) has(name string) bool {
	_, has := s.find(name)
	return has
}

// find returns the owner of a name, and whether the set has it.
func (s *nameSet) find(name string) (owner string, has bool) {
	if s.many != nil {
		owner, has = s.many[name]
		return owner, has
	}
	for i := range s.few[:s.count] {
		if s.few[i].name == name {
			return s.few[i].owner, true
		}
	}
	return "", false
}

// repeats iterates over the entries of a list in which a field has the same text as in an earlier entry, with that text.
func repeats(entries []*yaml.Node, field string) iter.Seq2[int, string] {
	return func(yield func(index int, text string) bool) { eachRepeat(entries, field, yield) }
}

func eachRepeat(entries []*yaml.Node, field string, yield func(index int, text string) bool) {
	if len(entries) < 2 {
		return
	}
	var texts nameSet
	for i, entry := range entries {
		if text := node.Text(entry, field); texts.add(text) && !yield(i, text) {
			return
		}
	}
}
