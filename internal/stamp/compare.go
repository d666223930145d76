package stamp

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// Thing is something in the pod template, by its key in a mapping or list.
type Thing struct{ Path, Key string }

// Things are what the injector put in, in order.
func (s *Stamp) Things() []Thing {
	count := 0
	for _, prints := range s.Added {
		count += len(prints)
	}
	all := make([]Thing, 0, count)
	for path, prints := range s.Added {
		for key := range prints {
			all = append(all, Thing{path, key})
		}
	}
	return sorted(all)
}

// Differs finds what another injector has put in differently.
func (s *Stamp) Differs(other *Stamp) []Thing {
	var all []Thing
	for path, prints := range other.Added { // the others are many, and together no longer than annotations may be
		for key, theirs := range prints {
			if mine, both := s.Added[path][key]; both && !theirs.Same(mine) {
				all = append(all, Thing{path, key})
			}
		}
	}
	return sorted(all)
}

// Covers finds containers and annotations that are the injector's as a whole, and that another has put
// something into: neither could be taken out without the other.
func (s *Stamp) Covers(other *Stamp) []Thing {
	var all []Thing
	for at := range other.enters() {
		if s.Adds(at.Path, at.Key) {
			all = append(all, at)
		}
	}
	return sorted(all)
}

// enters are the containers and annotations that the injector puts something into. It is found out once.
func (s *Stamp) enters() map[Thing]bool {
	if s.entered != nil {
		return s.entered
	}
	s.entered = map[Thing]bool{}
	for path := range s.Added {
		if list, container := containerOf(path); container != "" {
			s.entered[Thing{list, container}] = true
		} else if annotation, inside := inObject(path); inside {
			s.entered[Thing{annotationsPath, annotation}] = true
		}
	}
	return s.entered
}

func sorted(all []Thing) []Thing {
	slices.SortFunc(all, func(a, b Thing) int { return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Key, b.Key)) })
	return all
}

// TakenOut is what merging a JSON object into an annotation takes out of it: what is null there.
func TakenOut(annotation, patch string) []Thing {
	return nulls(join(annotationsPath, annotation), object(node.String(patch)))
}

func nulls(path string, held *yaml.Node) []Thing {
	var all []Thing
	valueOf := node.Values(held)
	for _, key := range node.Keys(held) {
		switch value := valueOf(key); {
		case node.IsNull(value):
			all = append(all, Thing{path, key})
		case value.Kind == yaml.MappingNode:
			all = append(all, nulls(join(path, key), value)...)
		}
	}
	return all
}
