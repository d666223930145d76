package stamp

import (
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/node"
)

// Thing is something in the pod template, by its key in a mapping or list.
type Thing struct{ Path, Key string }

// Things are what the injector put in, in order.
func (s *Stamp) Things() []Thing {
	var all []Thing
	for _, path := range slices.Sorted(maps.Keys(s.Added)) {
		for _, key := range slices.Sorted(maps.Keys(s.Added[path])) {
			all = append(all, Thing{path, key})
		}
	}
	return all
}

// Differs finds what another injector has put in differently.
func (s *Stamp) Differs(other *Stamp) []Thing {
	return slices.DeleteFunc(s.Things(), func(at Thing) bool {
		theirs, both := other.Added[at.Path][at.Key]
		return !both || theirs.Same(s.Added[at.Path][at.Key])
	})
}

// Covers finds containers and annotations that are the injector's as a whole, and that another has put
// something into: neither could be taken out without the other.
func (s *Stamp) Covers(other *Stamp) []Thing {
	return slices.DeleteFunc(s.Things(), func(at Thing) bool {
		if !isContainers(at.Path) && at.Path != annotationsPath {
			return true
		}
		inside := join(at.Path, at.Key)
		for path := range other.Added {
			if path == inside || strings.HasPrefix(path, inside+"/") {
				return false
			}
		}
		return true
	})
}

// TakenOut is what merging a JSON object into an annotation takes out of it: what is null there.
func TakenOut(annotation, patch string) []Thing {
	return nulls(join(annotationsPath, annotation), object(node.String(patch)))
}

func nulls(path string, held *yaml.Node) []Thing {
	var all []Thing
	for _, key := range node.Keys(held) {
		switch value := node.Get(held, key); {
		case node.IsNull(value):
			all = append(all, Thing{path, key})
		case value.Kind == yaml.MappingNode:
			all = append(all, nulls(join(path, key), value)...)
		}
	}
	return all
}
