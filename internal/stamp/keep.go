package stamp

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// Keep puts what a person changed back into a template, which must be safe to change. Present is
// the template as the person left it: a list that is not there, or null, is so again.
func Keep(template, present *yaml.Node, drifts []Drift) {
	t, view := newTree(template), NewView(present)
	for _, d := range drifts {
		t.keepDrift(view, d)
	}
}

func (t *tree) keepDrift(present *View, d Drift) {
	if d.Field != "" && t.at(join(d.Path, d.Key)) != nil {
		t.keep(join(d.Path, d.Key), d.Field, ownValue(d.Present, d.Field))
		return
	}
	t.keep(d.Path, d.Key, d.Present)
	for path := d.Path; path != "" && path != "spec" && t.isEmpty(path); {
		above, key := parent(path)
		was := present.At(above, key)
		if !node.IsNull(was) || t.at(above).Kind != yaml.MappingNode {
			break
		}
		t.keep(above, key, was)
		if was != nil {
			break
		}
		path = above
	}
}

// keep gives a key of a mapping or list a value, or none.
func (t *tree) keep(path, key string, value *yaml.Node) {
	switch at := t.find(path, key); {
	case len(at) > 0 && value != nil:
		t.put(path, key, at[0], value)
	case len(at) > 0:
		t.remove(path, key, at[0])
		t.close()
	case value != nil && t.at(path) != nil:
		t.add(path, key, value)
	}
}
