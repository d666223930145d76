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
// means that this is not known.
func (s *Stamp) Share(alone *Stamp, template *yaml.Node) (shared map[Thing]bool) {
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
			here = Fingerprint{Hash: hashOf(entry)}
			if alone.IsJoined(thing) {
				here.Hash = hashOf(withoutValue(entry))
			}
			if shared == nil {
				shared = map[Thing]bool{}
			}
			shared[thing] = true
		}
		here.Length, here.InFront = wanted.Length, wanted.InFront
		s.Added = with(s.Added, thing, here)
	}
	texts := alone.Was // what other injectors put in must not come back
	for at, text := range each(s.Was) {
		if _, isKnown := alone.Added[at.Path][at.Key]; !isKnown && s.Adds(at.Path, at.Key) { // a transformer replaced it
			texts = with(texts, at, text)
		}
	}
	s.Was, s.Cut = texts, alone.Cut
	return shared
}
