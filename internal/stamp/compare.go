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
		if theirs := other.separators()[variable]; theirs != "" && theirs != separator {
			all = append(all, variable)
		}
	}
	return sorted(all)
}

// Covers returns the containers, variables and annotations that the injector put in as a whole, and that another put something into:
// neither could be removed without the other.
func (s *Stamp) Covers(other *Stamp) []Thing {
	var all []Thing
	for thing := range other.enters() {
		if s.Adds(thing.Path, thing.Key) && !s.IsJoined(thing) {
			all = append(all, thing)
		}
	}
	return sorted(all)
}

// enters returns the containers, variables and annotations that the injector put something into. It finds them once.
func (s *Stamp) enters() map[Thing]bool {
	if s.knowsEntered {
		return s.entered
	}
	s.knowsEntered = true
	for path := range s.Added {
		thing := ContainerOf(path)
		if thing == (Thing{}) {
			thing = annotationOf(path)
		}
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
		if s.Adds(thing.Path, thing.Key) || insideAnnotation(thing.Path) {
			return true
		}
	}
	return len(s.Cut) > 0
}

// Changed returns what the injector put in that differs in a later version of the pod template, and what it took out of JSON that
// is there again. What somebody had deleted by hand does not count.
func (s *Stamp) Changed(before, after *View) []Thing {
	return slices.DeleteFunc(append(s.Things(), s.TakesOut()...), func(t Thing) bool {
		was, is := before.At(t.Path, t.Key), after.At(t.Path, t.Key)
		if was != nil && is != nil && s.IsJoined(t) { // its own part of the value is another thing
			was, is = withoutValue(was), withoutValue(is)
		}
		return (was != nil) != s.Adds(t.Path, t.Key) || node.Equal(was, is)
	})
}

// TakesOut returns what the injector removed from annotations that it merged JSON into.
func (s *Stamp) TakesOut() []Thing {
	var all []Thing
	for thing := range each(s.Was) {
		if insideAnnotation(thing.Path) && !s.Adds(thing.Path, thing.Key) {
			all = append(all, thing)
		}
	}
	return sorted(all)
}

// TakenOut returns what merging a JSON object into an annotation removes from it: the keys that are null in the patch.
func TakenOut(annotation, patch string) []Thing {
	return nulls(join(annotationsPath, annotation), jsonObject(node.String(patch)))
}

func nulls(path string, object *yaml.Node) []Thing {
	var all []Thing
	for key, value := range node.Fields(object) {
		switch {
		case node.IsNull(value):
			all = append(all, Thing{path, key})
		case value.Kind == yaml.MappingNode:
			all = append(all, nulls(join(path, key), value)...)
		}
	}
	return all
}

// Share makes the injector an owner of everything in the template that it would have put in if there were no other injector, and
// returns what others had put in already. The stamp alone is what it does to a pod template that no injector has changed; nil
// means that this is not known.
func (s *Stamp) Share(alone *Stamp, template *yaml.Node) (shared map[Thing]bool) {
	if alone == nil {
		return nil
	}
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
