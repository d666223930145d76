package version

import "pillion.dev/pillion/internal/text/yaml/node"

// editableNode is a field or an entry of the version under change. It is copied before its first change and not otherwise,
// because a copy of a YAML alias writes it out.
type editableNode struct {
	now   *node.Node    // for reading
	in    *editableNode // the mapping or list that it is in; nil once it is safe to change
	field string        // its key there
	index int           // of an entry; -1 for a field
	path  string        // of a node that the writer knows

	clones *node.Clones // the memory of its copy; may be nil
}

// own returns the node, safe to change. A field that is missing becomes an empty list.
func (p *editableNode) own() *node.Node {
	if p.in == nil {
		return p.now
	}
	parent := p.in.own()
	p.in = nil
	if p.index >= 0 {
		p.now = p.clones.OwnEntry(parent, p.index)
		return p.now
	}
	if p.now = p.clones.Own(parent, p.field); node.IsNull(p.now) {
		p.now = node.Sequence()
		node.Set(parent, p.field, p.now)
	}
	return p.now
}

// fieldAt returns a field of a mapping.
func (p *editableNode) fieldAt(key string) editableNode {
	return editableNode{now: node.Get(p.now, key), in: p, field: key, index: -1, clones: p.clones}
}

// entryAt returns an entry of a list.
func (p *editableNode) entryAt(index int) editableNode {
	return editableNode{now: node.Resolve(p.now.Content[index]), in: p, index: index, clones: p.clones}
}
