package stamp

import "pillion.dev/pillion/internal/text/yaml/node"

// Enters returns the containers and variables that the injector put something into.
func (s *Stamp) Enters() map[Address]bool {
	entered := map[Address]bool{}
	for at, c := range s.Changes {
		container := ContainerOf(at.Path)
		if container == (Address{}) || c.Hash == "" {
			continue
		}
		entered[container] = true
		if variable, _, isJoined := JoinedVariable(at.Path); isJoined {
			entered[variable] = true
		}
	}
	return entered
}

// AddOutside adds what transformers put in beside what the injector wants, given all that changed, or what they put in
// for an earlier injector of the run: they run for each of them. What is not in the template as it was put in is left
// out.
func (s *Stamp) AddOutside(all *Stamp, template *node.Node) (outside *Stamp) {
	outside = &Stamp{Changes: map[Address]Change{}}
	view := NewView(template)
	for at, c := range all.Changes {
		// The injector owns a part of it.
		isInside := s.IsJoined(at) || s.IsJoined(AddressOf(at.Path))
		if present := view.At(at.Path, at.Key); c.Hash == "" || present == nil || isInside || !c.IsOf(at, present) {
			continue
		}
		if s.Adds(at.Path, at.Key) { // they may have changed it
			c.Before = s.Changes[at].Before
		} else {
			outside.Changes[at] = c
		}
		s.change(at, func(is *Change) { *is = c })
		s.copyEmptyAround(at.Path, all)
		outside.copyEmptyAround(at.Path, all)
	}
	return outside
}

// copyEmptyAround takes over which mappings and lists at a path, and around it, the app has without content.
func (s *Stamp) copyEmptyAround(path string, from *Stamp) {
	for path != "" {
		at := AddressOf(path)
		if c := from.Changes[at]; c.Hash == "" && c.Before != nil && s.Changes[at].Before == nil {
			s.change(at, func(is *Change) { is.Before = c.Before })
		}
		path = at.Path
	}
}
