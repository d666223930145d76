package apply

import (
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// editableNode is a field or an entry of the version under change. It is copied before its first change and not otherwise,
// because a copy of a YAML alias writes it out.
type editableNode struct {
	now   *node.Node    // for reading
	in    *editableNode // the mapping or list that it is in; nil once it is safe to change
	field string        // its key there
	index int           // of an entry; -1 for a field

	clones *node.Clones // the memory of its copy; may be nil
}

// spec returns the pod spec, which is safe to change.
func (p *Pod) spec() editableNode { return editableNode{now: p.Spec(), clones: p.Clones} }

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
	return editableNode{node.Get(p.now, key), p, key, -1, p.clones}
}

// entryAt returns an entry of a list.
func (p *editableNode) entryAt(index int) editableNode {
	return editableNode{node.Resolve(p.now.Content[index]), p, "", index, p.clones}
}

// list is a list inside a container or another field of the pod spec, whose entries Kubernetes tells apart by a key.
type list struct {
	editableNode
	row    *pod.Row
	choice injector.Choice // what happens if an entry has the key of another one
	path   string          // for messages
	at     string          // as stamps have it
	before []*node.Node    // before entries were inserted in front; nil if entries are only added at the end
}

func (l *list) entries() []*node.Node {
	if l.now == nil {
		return nil
	}
	return l.now.Content
}

// find returns the index of the entry with the key of a wanted one, or -1.
func (l *list) find(wanted *node.Node) int { return l.row.Find(l.entries(), wanted) }

// thing returns an entry as stamps name it.
func (l *list) thing(entry *node.Node) stamp.Address {
	return stamp.Address{Path: l.at, Key: stamp.KeyOf(l.at, entry)}
}
