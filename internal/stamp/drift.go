package stamp

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// Drift is something that an injector put in and that a person has changed since.
type Drift struct {
	Owner string // the key of the stamp
	Thing
	Present *yaml.Node // what is there now, or nil if it was removed
	// Lost is whether it is a container of the app that is no longer there, nor is what was put into it.
	Lost bool
	// Foreign is whether it is a container that is not the one that was injected, as far as can be told. It was not removed,
	// because the stamp may have been copied from another workload.
	Foreign bool
}

// Keep makes changes by hand again in a template, which must be safe to change. Present is the template as the person left it:
// a mapping or list that is missing or null there, and that becomes empty, becomes so again.
func Keep(template, present *yaml.Node, drifts []Drift) {
	t, view := newTree(template), NewView(present)
	for _, d := range drifts {
		t.setOrRemove(d.Thing, d.Present)
		t.keepEmpty(view, d.Path)
	}
}

// keepEmpty removes a mapping or list that is empty, and those above it, or makes it null, as the present template has it.
func (t *tree) keepEmpty(present *View, path string) {
	for path != "" && path != "spec" && t.isEmpty(path) {
		at := ThingAt(path)
		was := present.At(at.Path, at.Key)
		if !node.IsNull(was) || t.at(at.Path).Kind != yaml.MappingNode {
			return
		}
		t.setOrRemove(at, was)
		if was != nil {
			return
		}
		path = at.Path
	}
}

// setOrRemove gives a thing a value, or removes it if the value is nil.
func (t *tree) setOrRemove(at Thing, value *yaml.Node) {
	switch indexes := t.find(at); {
	case len(indexes) > 0 && value != nil:
		t.put(at, indexes[0], value)
	case len(indexes) > 0:
		t.remove(at, indexes[0])
		t.close()
	case value != nil && t.at(at.Path) != nil:
		t.add(at, value)
	}
}
