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
	// IsJoined is whether it is a variable that the injector joined something to. Present is without the value, of which the parts
	// are things of their own.
	IsJoined bool
	// IsGrown is whether it is a quantity of which what the injector added can no longer be subtracted.
	IsGrown bool
}

// Wanted returns what is to be compared with what a person left, given what is wanted at the same place, or nil.
func (d Drift) Wanted(there *yaml.Node) *yaml.Node {
	if d.IsJoined && there != nil && there.Kind == yaml.MappingNode {
		return withoutValue(there)
	}
	return there
}

// Keep makes changes by hand again in a template, which must be safe to change. Present is the template as the person left it:
// a mapping or list that is missing or null there, and that becomes empty, becomes so again. If it has something there, only
// injectors had added that, and the bare template, without what they added, shows how the mapping or list was.
func Keep(template, present, bare *yaml.Node, drifts []Drift) {
	t, views := newTree(template), [2]*View{NewView(present), NewView(bare)}
	for _, d := range drifts {
		variable, separator, isPart := asJoined(d.Path)
		switch {
		case isPart: // it is there as it was joined, or not at all
			t.removePart(variable, separator, d.Key, views[0])
		case d.IsJoined:
			t.setOrRemove(d.Thing, t.withValue(d))
		default:
			t.setOrRemove(d.Thing, d.Present)
		}
		t.keepEmpty(views, d.Path)
	}
}

// keepEmpty removes a mapping or list that is empty, and those above it, or makes it null, as the first of the views has it in
// which it has no entries.
func (t *tree) keepEmpty(views [2]*View, path string) {
	for path != "" && path != "spec" && t.isEmpty(path) {
		at := ThingAt(path)
		was := views[0].At(at.Path, at.Key)
		if was != nil && len(was.Content) > 0 {
			was = views[1].At(at.Path, at.Key)
		}
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
