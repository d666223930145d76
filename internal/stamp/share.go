package stamp

import (
	"go.yaml.in/yaml/v3"
)

// Share makes the injector an owner of what it would have put in if nobody else had, as far as it
// is there: own is what it does to a pod template that no injector has touched.
func (s *Stamp) Share(own *Stamp, template *yaml.Node) {
	if own == nil {
		return
	}
	view := NewView(template)
	for path, prints := range own.Added {
		for key, alone := range prints {
			if !s.Adds(path, key) {
				entry := view.At(path, key)
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
