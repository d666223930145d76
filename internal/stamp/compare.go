package stamp

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// Differs returns what both injectors put in, and not the same.
func (s *Stamp) Differs(other *Stamp) []Thing {
	var all []Thing
	for thing, theirs := range each(other.Added) { // the others are many, but together no longer than annotations may be
		if mine, both := s.Added[thing.Path][thing.Key]; both && theirs.Hash != mine.Hash {
			all = append(all, thing)
		}
	}
	for variable, separator := range s.separators() {
		if theirs := other.Separator(variable); theirs != "" && theirs != separator {
			all = append(all, variable)
		}
	}
	return sorted(all)
}

// Covers returns the containers and variables that the injector put in as a whole, and that another put something into: neither could
// be removed without the other.
func (s *Stamp) Covers(other *Stamp) []Thing {
	var all []Thing
	for thing := range other.enters() {
		if s.Adds(thing.Path, thing.Key) && !s.IsJoined(thing) {
			all = append(all, thing)
		}
	}
	return sorted(all)
}

// enters returns the containers and variables that the injector put something into. It finds them once.
func (s *Stamp) enters() map[Thing]bool {
	if s.knowsEntered {
		return s.entered
	}
	s.knowsEntered = true
	for path := range s.Added {
		thing := ContainerOf(path)
		if thing == (Thing{}) {
			continue
		}
		if s.entered == nil {
			s.entered = map[Thing]bool{}
		}
		s.entered[thing] = true
		if variable, _, isJoined := asJoined(path); isJoined {
			s.entered[variable] = true
		}
	}
	return s.entered
}

// Replaces reports whether the injector replaced or removed something, and did not only add to it.
func (s *Stamp) Replaces() bool {
	for thing := range each(s.Was) {
		if s.Adds(thing.Path, thing.Key) {
			return true
		}
	}
	return len(s.Cut) > 0
}

// Changed returns what the injector put in that differs in a later version of the pod template. What somebody had deleted by hand
// does not count.
func (s *Stamp) Changed(before, after *View) []Thing {
	return slices.DeleteFunc(s.Things(), func(t Thing) bool {
		was, is := before.At(t.Path, t.Key), after.At(t.Path, t.Key)
		if was != nil && is != nil && s.IsJoined(t) { // its own part of the value is another thing
			was, is = withoutValue(was), withoutValue(is)
		}
		return was == nil || node.Equal(was, is)
	})
}

// Share makes the injector an owner of everything in the template that it would have put in if there were no other injector, and
// returns what others had put in already. The stamp alone is what it does to a pod template that no injector has changed; nil
// means that this is not known.
func (s *Stamp) Share(alone *Stamp, template *yaml.Node, hashes Hashes) (shared map[Thing]bool) {
	if alone == nil {
		return nil
	}
	s.entered, s.knowsEntered, s.joinedWith, s.knowsSeparators = nil, false, nil, false // there will be more
	view := NewView(template)
	for thing, wanted := range each(alone.Added) {
		here, adds := s.Added[thing.Path][thing.Key]
		if !adds {
			entry := view.At(thing.Path, thing.Key)
			if entry == nil {
				continue
			}
			if alone.IsJoined(thing) {
				entry = withoutValue(entry)
			}
			here = Fingerprint{Hash: hashes.of(thing, entry)}
			if shared == nil {
				shared = map[Thing]bool{}
			}
			shared[thing] = true
		}
		here.Place = wanted.Place
		s.Added = with(s.Added, thing, here)
	}
	s.Was, s.Cut = alone.Was, alone.Cut // what other injectors put in must not come back
	return shared
}

// MarkContainers gives a place to the containers that have none. The function returns the place that the config gives to
// a container, or an empty one.
func (s *Stamp) MarkContainers(place func(name string) string) {
	for at, f := range each(s.Added) {
		if f.Place == "" && IsContainers(at.Path) {
			f.Place = place(at.Key)
			s.Added[at.Path][at.Key] = f
		}
	}
}
