package stamp

import "go.yaml.in/yaml/v3"

// Enters returns the containers and variables that the injector put something into. It finds them once.
func (s *Stamp) Enters() map[Thing]bool {
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

// Share makes the injector an owner of everything in the template that it would have put in if there were no other injector, and
// returns what others had put in already. The stamp alone is what it does to a pod template that no injector has changed; nil
// means that this is not known. A transformer may have put in more, which alone does not have.
func (s *Stamp) Share(alone *Stamp, template *yaml.Node) (shared map[Thing]bool) {
	if alone == nil {
		return nil
	}
	s.entered, s.knowsEntered, s.joinedWith, s.knowsSeparators = nil, false, nil, false // there will be more
	view, outside := NewView(template), s.without(alone)
	shared = map[Thing]bool{}
	for thing, wanted := range each(alone.Added) {
		here, adds := s.Added[thing.Path][thing.Key]
		if !adds {
			entry := view.At(thing.Path, thing.Key)
			if entry == nil {
				continue
			}
			here = Fingerprint{Hash: hashOf(entry)}
			if alone.IsJoined(thing) {
				here.Hash = hashOf(withoutValue(entry))
			}
			shared[thing] = true
		}
		here.InFront = wanted.InFront
		s.Added = with(s.Added, thing, here)
	}
	s.Was, s.Cut = alone.Was, alone.Cut // what other injectors put in must not come back
	for at, text := range each(outside.Was) {
		s.Was = with(s.Was, at, text)
	}
	return shared
}

// without returns what the injector put in and another stamp does not name, with what that replaced.
func (s *Stamp) without(other *Stamp) *Stamp {
	rest := &Stamp{}
	for at, f := range each(s.Added) {
		if other.Adds(at.Path, at.Key) {
			continue
		}
		rest.Added = with(rest.Added, at, f)
		if text, replaced := s.Was[at.Path][at.Key]; replaced {
			rest.Was = with(rest.Was, at, text)
		}
	}
	return rest
}

// ShareOutside makes the injector an owner of what transformers have put into the template for an earlier injector of the run, as far as
// it is still there: they run for each of them. Own is what the payload of that one puts in.
func (s *Stamp) ShareOutside(earlier, own *Stamp, template *yaml.Node) {
	outside, view := earlier.without(own), NewView(template)
	for at, f := range each(outside.Added) {
		if present := view.At(at.Path, at.Key); present == nil || s.Adds(at.Path, at.Key) || !f.IsOf(present) {
			continue
		}
		s.Added = with(s.Added, at, f)
		if text, replaced := outside.Was[at.Path][at.Key]; replaced {
			s.Was = with(s.Was, at, text)
		}
	}
}
