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

// MarkContainers gives a place to containers that stand behind all of the app's, or in a list in which the app
// has none, where the config says more than that. Mark is empty where it does not.
func (s *Stamp) MarkContainers(mark func(name string) string) {
	for path, prints := range s.Added {
		if !isContainers(path) {
			continue
		}
		for name, print := range prints {
			if print.Place == "" {
				print.Place = mark(name)
				prints[name] = print
			}
		}
	}
}
