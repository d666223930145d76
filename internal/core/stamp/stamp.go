// Package stamp writes down what an injector wants of a pod template, in one annotation per injector, so that a later run
// can undo exactly that. A stamp is the text of a ledger: it has a fingerprint in the place of each value, which is in
// the file, and the text of what was replaced, which is not.
//
// [Stamp.String] writes the text, and [Parse] reads it and refuses what no injection writes, because anyone can write a
// stamp. An [Address] says where something is in a pod template, and a [View] finds it.
package stamp

import (
	"cmp"
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

// Reset makes it an empty stamp. The memory for few changes is used again.
func (s *Stamp) Reset() {
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

// Touched returns all that the stamp says something about, in order.
func (s *Stamp) Touched() []Address { return s.addresses(func(Change) bool { return true }) }

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
	was, err := ReadText(*c.Before)
	return err == nil && node.Equal(was, n)
}

// addresses returns what the injector did something to, in order.
func (s *Stamp) addresses(counts func(Change) bool) []Address {
	var all []Address
	for at, c := range s.Changes {
		if counts(c) {
			if all == nil { // most stamps have nothing that was joined
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

// SetBefore sets how a thing was written before.
func (s *Stamp) SetBefore(at Address, text string) {
	s.change(at, func(c *Change) { c.Before = &text })
}

// AddPart adds to the stamp that a part was joined to a value.
func (s *Stamp) AddPart(j Joined) {
	s.change(Part(j.Variable, j.Separator, j.Part.Text), func(c *Change) {
		c.Fingerprint = partOf(j.Part.Text, j.Part.Before)
	})
}

// AddTo adds to a stamp that a thing was put in.
func (h Hashes) AddTo(to *Stamp, at Address, n *node.Node) {
	to.change(at, func(c *Change) { c.Fingerprint = Fingerprint{Hash: h.of(at, n)} })
}

// Written returns how something of the app was written.
type Written func(n *node.Node) string

// IsEmpty reports whether something is there and has no content.
func IsEmpty(n *node.Node) bool {
	return n != nil && (node.IsNull(n) || n.Kind != node.ScalarNode && len(node.Resolve(n).Content) == 0)
}

// change sets a part of what the injector did to a thing.
func (s *Stamp) change(at Address, set func(*Change)) {
	if s.Changes == nil {
		s.Changes = map[Address]Change{}
	}
	c := s.Changes[at]
	set(&c)
	s.Changes[at] = c
	s.joinedWith = nil
}
