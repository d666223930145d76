package engine

import (
	"iter"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/stamp"
)

// thingSearch finds things of a pod spec that are accepted. It asks about each of them once, because many references may be in one.
type thingSearch struct {
	accept func(at stamp.Thing, n *yaml.Node) bool
	keys   entryKeys
	known  map[stamp.Thing]bool
}

func newThingSearch(accept func(at stamp.Thing, n *yaml.Node) bool) thingSearch {
	return thingSearch{accept: accept, keys: entryKeys{}, known: map[stamp.Thing]bool{}}
}

// finds reports whether a reference is accepted, or something that it is inside of.
func (s thingSearch) finds(r podtemplate.Reference) bool {
	for at, n := range s.keys.around(r) {
		isAccepted, isKnown := s.known[at]
		if !isKnown {
			isAccepted = s.accept(at, n)
			s.known[at] = isAccepted
		}
		if isAccepted {
			return true
		}
	}
	return false
}

// entryKeys are the keys of entries of lists, so that each is determined once.
type entryKeys map[*yaml.Node]string

// around returns the things that a reference is inside of, from the outside to the reference itself.
func (k entryKeys) around(r podtemplate.Reference) iter.Seq2[stamp.Thing, *yaml.Node] {
	return func(yield func(stamp.Thing, *yaml.Node) bool) {
		path := "spec"
		for _, step := range r.Steps {
			at := stamp.Thing{Path: path, Key: step.Field}
			if step.Field == "" {
				at.Key = k.keyOf(path, step.Node)
			}
			if !yield(at, step.Node) {
				return
			}
			path = at.Inside()
		}
	}
}

func (k entryKeys) keyOf(path string, entry *yaml.Node) string {
	if _, isKnown := k[entry]; !isKnown {
		k[entry] = stamp.KeyOf(path, entry)
	}
	return k[entry]
}
