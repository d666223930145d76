package stamp

import (
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"
)

// Share makes the injector an owner of what it would have put in if nobody else had, as far as it
// is there: own is what it does to a pod template that no injector has touched.
func (s *Stamp) Share(own *Stamp, template *yaml.Node) {
	if own == nil {
		return
	}
	for path, prints := range own.Added {
		for key, alone := range prints {
			if !s.Adds(path, key) {
				entry := At(template, path, key)
				if entry == nil {
					continue
				}
				set(s.Added, path, key, printOf(path, entry, ""))
			}
			here := s.Added[path][key]
			here.Place = alone.Place
			s.Added[path][key] = here
		}
	}
	s.Was, s.Cut = own.Was, own.Cut // what others put in is nothing to go back to
}

// Adopt makes something that was there before the injector's own.
func (s *Stamp) Adopt(template *yaml.Node, path, key string) {
	entry := At(template, path, key)
	if entry == nil {
		return
	}
	set(s.Added, path, key, printOf(path, entry, ""))
	delete(s.Was[path], key)
	if len(s.Was[path]) == 0 {
		delete(s.Was, path)
	}
}

// Difference is something that two stamps have in common, and not the same.
type Difference struct{ Path, Key string }

// Differs finds what another injector has put in differently.
func (s *Stamp) Differs(other *Stamp) []Difference {
	var found []Difference
	for _, path := range slices.Sorted(maps.Keys(s.Added)) {
		for _, key := range slices.Sorted(maps.Keys(s.Added[path])) {
			if theirs, both := other.Added[path][key]; both && !theirs.Same(s.Added[path][key]) {
				found = append(found, Difference{path, key})
			}
		}
	}
	return found
}
