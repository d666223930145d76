// Package stamp records what an injector did to a pod template, in one annotation per injector, so that a later run can
// undo exactly that. It knows nothing about sidecars: a stamp says which values and entries were put in, and what was
// there before.
//
// It has three operations:
//
//   - [Hashes.OfWanted] returns the stamp of what an injector wants, and [Hashes.Record] that of what others did to a
//     pod template.
//   - [Undo] removes what stamps name from a pod template, and puts back what was replaced.
//   - [Rebase] gives the parts of a new version that came out the same their old nodes, and with these their text and
//     position.
//
// The rest is about the text of a stamp ([Stamp.String], [Parse]), changes by hand ([Drift]), and comparing stamps.
package stamp

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// Stamp is what one injector did to one pod template.
type Stamp struct {
	// Changes is what the injector did in mappings and lists.
	Changes map[Address]Change

	joinedWith map[Address]string // see Separator; nil until it is needed
}

// Address is where something is in a pod template: it has the key Key in the mapping or list at Path.
type Address struct{ Path, Key string }

// Change is what an injector did to a thing.
type Change struct {
	// Fingerprint is that of what the injector put in. It shows whether somebody has changed it since.
	Fingerprint
	// Before is how the thing was written before, if the injector replaced it, or if it was an empty mapping or
	// list.
	Before *string
}

// Owner is an injector with its stamp. Key is the annotation that holds the stamp.
type Owner struct {
	Key string
	*Stamp
	// Payload returns the container that the config has now by a name, or nil. It is nil if the config is not known.
	Payload func(container string) *node.Node
}

func (c Change) isAdded() bool { return c.Hash != "" }

// Empty reports whether the injector did nothing to the pod template.
func (s *Stamp) Empty() bool { return len(s.Changes) == 0 }

// Adds reports whether the injector put in what has a key in the mapping or list at a path.
func (s *Stamp) Adds(path, key string) bool { return s.Changes[Address{path, key}].Hash != "" }

// AddsContainers reports whether the injector put in any container.
func (s *Stamp) AddsContainers() bool {
	for at := range s.Changes {
		if IsContainers(at.Path) && s.Adds(at.Path, at.Key) {
			return true
		}
	}
	return false
}

// reset makes it an empty stamp. The memory for few changes is used again.
func (s *Stamp) reset() {
	const few = 8 // fit into a map that has never grown, so that it is cleared fast
	if len(s.Changes) > few {
		s.Changes = nil
	}
	clear(s.Changes)
	*s = Stamp{Changes: s.Changes}
}

// Addresses returns what the injector put in, in order.
func (s *Stamp) Addresses() []Address {
	return s.addresses(Change.isAdded)
}

// Originals returns what of the app the stamp keeps the text of, because the injector replaced it or added something to
// it.
func (s *Stamp) Originals() []Address {
	return s.addresses(func(c Change) bool { return c.Before != nil && c.isAdded() })
}

// IsOriginal reports whether a thing is as it was before the injector changed it.
func (c Change) IsOriginal(n *node.Node) bool {
	if c.Before == nil || n == nil {
		return false
	}
	was, err := readYAML(*c.Before)
	return err == nil && node.Equal(was, n)
}

// addresses returns what the injector did something to, in order.
func (s *Stamp) addresses(counts func(Change) bool) []Address {
	var all []Address
	for at, c := range s.Changes {
		if counts(c) {
			if all == nil { // most stamps have nothing that grew, or was joined
				all = make([]Address, 0, len(s.Changes))
			}
			all = append(all, at)
		}
	}
	slices.SortFunc(all, Address.compare)
	return all
}

func (t Address) compare(with Address) int {
	return cmp.Or(strings.Compare(t.Path, with.Path), strings.Compare(t.Key, with.Key))
}

// change sets a part of what the injector did to a thing.
func (s *Stamp) change(at Address, set func(*Change)) {
	if s.Changes == nil {
		s.Changes = map[Address]Change{}
	}
	c := s.Changes[at]
	set(&c)
	s.Changes[at] = c
}

// changed returns what owners did something to.
func changed(owners []Owner, counts func(Change) bool) map[Address]bool {
	all := map[Address]bool{}
	for _, o := range owners {
		for at, c := range o.Changes {
			if counts(c) {
				all[at] = true
			}
		}
	}
	return all
}

// added returns what owners put in.
func added(owners []Owner) map[Address]bool { return changed(owners, Change.isAdded) }

// addedAnew returns what owners put in without replacing something of the app.
func addedAnew(owners []Owner) map[Address]bool {
	all := added(owners)
	for _, o := range owners {
		for at, c := range o.Changes {
			if c.Before != nil {
				delete(all, at)
			}
		}
	}
	return all
}

// without removes things from others.
func without(all, things map[Address]bool) map[Address]bool {
	maps.DeleteFunc(all, func(at Address, _ bool) bool { return things[at] })
	return all
}
