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

// AddOutside adds what transformers put in beside what the injector wants, given all that changed, or what they put in for an earlier
// injector of the run: they run for each of them. What is not in the template as it was put in is left out.
func (s *Stamp) AddOutside(all *Stamp, template *yaml.Node) (outside *Stamp) {
	outside, view := &Stamp{}, NewView(template)
	for at, f := range each(all.Added) {
		_, isGrown := s.Grown[at.Path][at.Key]
		isInside := isGrown || s.IsJoined(at) || s.IsJoined(ThingAt(at.Path)) // the injector owns a part of it
		if present := view.At(at.Path, at.Key); present == nil || isInside || !f.IsOf(at, present) {
			continue
		}
		if s.Adds(at.Path, at.Key) { // they may have changed it
			s.Added[at.Path][at.Key] = f
			continue
		}
		outside.Added = with(outside.Added, at, f)
		s.Added = with(s.Added, at, f)
		if text, replaced := all.Was[at.Path][at.Key]; replaced {
			outside.Was = with(outside.Was, at, text)
			s.Was = with(s.Was, at, text)
		}
	}
	return outside
}
