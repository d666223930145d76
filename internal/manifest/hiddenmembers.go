package manifest

import (
	"slices"

	"pillion.dev/pillion/internal/yaml/node"
)

// checkNoMembers refuses an object that holds objects, by an alias or a merge key, but no list at the key "items", because these
// objects would be ignored. Index is the index of the key, or -1.
func (o *nodeOutline) checkNoMembers(p *part, m *node.Node, index int) error {
	items := node.Get(m, "items")
	if !p.mayCarry(items) {
		return nil
	}
	if index < 0 {
		return o.isMerged(p.kind, m, "items")
	}
	return errorAt(o.lineOf(m.Content[index]), "the items of the %s are %s; expected a list", p.kind, describe(m.Content[index+1]))
}

// mayCarry reports whether an object with these items is a list of objects, or is meant to be one.
func (p *part) mayCarry(items *node.Node) bool {
	if p.kind == "List" || p.kind == "ResourceList" {
		return !node.IsNull(items)
	}
	return slices.ContainsFunc(node.List(items), func(entry *node.Node) bool { return entry.Kind == node.MappingNode })
}

func (o *nodeOutline) isMerged(kind string, m *node.Node, key string) error {
	return errorAt(o.lineOf(m),
		"the key %s of the %s that begins here is given by a merge key; write the key in the object itself", key, kind)
}
