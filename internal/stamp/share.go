package stamp

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/node"
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

// Keep puts what a person changed back into a template, which must be safe to change.
func Keep(template *yaml.Node, d Drift) {
	if d.Field != "" {
		if entry := owned(template, join(d.Path, d.Key)); entry != nil {
			setOrDelete(entry, d.Field, ownValue(d.Present, d.Field))
			return
		}
	}
	in := owned(template, d.Path)
	if in == nil {
		return
	}
	if in.Kind == yaml.MappingNode {
		setOrDelete(in, d.Key, d.Present)
		return
	}
	at := slices.IndexFunc(in.Content, func(entry *yaml.Node) bool { return KeyOf(last(d.Path), entry) == d.Key })
	switch {
	case at < 0 && d.Present != nil:
		in.Content = append(in.Content, d.Present)
	case at >= 0 && d.Present != nil:
		in.Content[at] = d.Present
	case at >= 0:
		in.Content = slices.Delete(in.Content, at, at+1)
	}
}

func setOrDelete(m *yaml.Node, key string, value *yaml.Node) {
	if value != nil {
		node.Set(m, key, value)
		return
	}
	if i := indexOfKey(m, key); i >= 0 {
		m.Content = slices.Delete(m.Content, i, i+2)
	}
}
