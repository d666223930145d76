package stamp

import (
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Drift is something that an injector put in and that a person has changed since.
type Drift struct {
	Owner string // the key of the stamp
	Address
	Present *node.Node // what is there now, or nil if it was removed
	// Lost is whether it is a container of the app that is no longer there, nor is what was put into it.
	Lost bool
	// Foreign is whether it is a container that is not the one that was injected, as far as can be told. It was not
	// removed, because the stamp may have been copied from another workload.
	Foreign bool
	// IsGrown is whether it is a quantity of which what the injector added can no longer be subtracted.
	IsGrown bool
}

// RestoreDrifts makes changes by hand again in a template, which must be safe to change. Present is the template as the
// person left it: a mapping or list that is missing or null there, and that becomes empty, becomes so again. If it has
// something there, only injectors had added that, and the bare template, without what they added, shows how the mapping
// or list was.
func RestoreDrifts(template, present, bare *node.Node, drifts []Drift) {
	views := [2]*View{NewView(present), NewView(bare)}
	top := &editedNode{indexedNode: indexedNode{node: template}, isThere: true}
	for _, d := range drifts {
		if variable, separator, isPart := JoinedVariable(d.Path); isPart {
			// It is there as it was joined, or not at all.
			removePart(top.at(variable.Inside()), separator, d.Key, views[0])
		} else {
			top.at(d.Path).set(d.Key, d.Present)
		}
		restoreEmpty(top.at(d.Path), views)
	}
}

// restoreEmpty removes a mapping or list that is empty, and those above it, or makes it null, as the first of the views
// has it in which it has no entries.
func restoreEmpty(p *editedNode, views [2]*View) {
	for p.path != "" && p.path != "spec" && p.isEmpty() {
		was := views[0].At(p.above.path, p.key)
		if was != nil && len(was.Content) > 0 {
			was = views[1].At(p.above.path, p.key)
		}
		if !node.IsNull(was) || p.above.node.Kind != node.MappingNode {
			return
		}
		p.above.set(p.key, was)
		if was != nil {
			return
		}
		p = p.above
	}
}

// set gives a key a value, or removes it if the value is nil.
func (p *editedNode) set(key string, value *node.Node) {
	switch all := p.find(key); {
	case len(all) > 0 && value != nil:
		p.node.Content[all[0]] = value
	case len(all) > 0:
		p.remove(all[0])
		p.close()
	case value != nil:
		p.add(key, value)
	}
}
