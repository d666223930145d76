package version

import (
	"slices"

	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// editedNode is a node of a template that is being changed. What is not there has a node without content.
type editedNode struct {
	stamp.IndexedNode
	isThere  bool
	isShrunk bool // whether something was removed from it, or from what is in it
	above    *editedNode
	key      string       // in the node above
	clones   *node.Clones // of what is made safe to change; nil for new memory
}

// inside returns the node at a key, which it makes safe to change, given its path.
func (p *editedNode) inside(key, path string) *editedNode {
	c := &editedNode{IndexedNode: stamp.IndexedNode{Path: path}, above: p, key: key, clones: p.clones}
	if i := p.own(key); i >= 0 {
		c.Node = p.Node.Content[i]
	}
	if c.isThere = !node.IsNull(c.Node); !c.isThere {
		if c.Node = node.Mapping(); pod.At(c.Path).IsKeyed() {
			c.Node = node.Sequence()
		}
	}
	return c
}

// own makes a value, or the first entry of a key, safe to change, and returns its index, or -1.
func (p *editedNode) own(key string) int {
	if all := p.find(key); len(all) > 0 {
		p.clones.OwnEntry(p.Node, all[0])
		return all[0]
	}
	if p.Kind() != node.MappingNode || len(p.find("<<")) == 0 || p.Get(key) == nil || p.clones.Own(p.Node, key) == nil {
		return -1
	}
	p.Note(key, len(p.Node.Content)-1)
	return len(p.Node.Content) - 1
}

// find returns the indexes of a value, or of the entries that have a key, except those that were removed.
func (p *editedNode) find(key string) []int {
	if p.Node == nil {
		return nil
	}
	all := p.AllOf(key)
	if slices.ContainsFunc(all, p.isRemoved) {
		all = slices.DeleteFunc(slices.Clone(all), p.isRemoved)
	}
	return all
}

// removed replaces what is removed, so that the indexes of the rest stay as they are until close.
var removed = &node.Node{Kind: node.ScalarNode, Tag: node.OtherTag, Value: "\x00"} // no key of a text has this value

func (p *editedNode) isRemoved(i int) bool { return p.Node.Content[i] == removed }

// add adds a value or an entry. A node that is missing or null is made, but not the mapping around it.
func (p *editedNode) add(key string, n *node.Node) {
	if !p.isThere {
		if p.above == nil || !p.above.isThere || p.above.Node.Kind != node.MappingNode {
			return
		}
		node.Set(p.above.Node, p.key, p.Node)
		p.isThere = true
		p.above.Forget()
	}
	switch p.Node.Kind {
	case node.MappingNode:
		if present := p.find(key); len(present) > 0 {
			p.Node.Content[present[0]] = n
			return
		}
		p.Node.Content = append(p.Node.Content, node.String(key), n)
	case node.SequenceNode:
		p.Node.Content = append(p.Node.Content, n)
	default:
		return
	}
	p.Note(key, len(p.Node.Content)-1)
}

// remove removes the entries, or the values and their keys, at indexes.
func (p *editedNode) remove(indexes ...int) {
	for _, i := range indexes {
		p.Node.Content[i] = removed
		p.isShrunk = true
		if p.Node.Kind == node.MappingNode {
			p.Node.Content[i-1] = removed
		}
	}
}

func (p *editedNode) close() {
	if slices.Contains(p.Node.Content, removed) {
		p.Node.Content = slices.DeleteFunc(p.Node.Content, func(child *node.Node) bool { return child == removed })
		p.Forget()
	}
}

// isEmpty reports whether the mapping or list is there and has nothing left.
func (p *editedNode) isEmpty() bool {
	return p.isThere && p.Node.Kind != node.ScalarNode && len(p.Node.Content) == 0
}
