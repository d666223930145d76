package stamp

import (
	"slices"
	"strings"

	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// indexedNode is a mapping or list of a template. It searches nothing twice, because a stamp may have thousands of keys.
type indexedNode struct {
	path        string
	node        *node.Node
	index       map[string][]int // the indexes of values and entries by their keys; nil until it is needed
	searches    int              // how often it was searched without an index
	values      node.Lookup      // of a mapping, with those from merge keys
	knowsValues bool
}

// editedNode is a node of a template that is being changed. What is not there has a node without content.
type editedNode struct {
	indexedNode
	isThere  bool
	isShrunk bool // whether something was removed from it, or from what is in it
	above    *editedNode
	key      string       // in the node above
	clones   *node.Clones // of what is made safe to change; nil for new memory
}

func (p *indexedNode) kind() node.Kind {
	if p.node == nil {
		return 0
	}
	return p.node.Kind
}

// get returns what has a key, or nil.
func (p *indexedNode) get(key string) *node.Node {
	switch p.kind() {
	case node.MappingNode:
		if !p.knowsValues {
			p.values = node.Values(p.node)
			p.knowsValues = true
		}
		return node.Resolve(p.values.Get(key))
	case node.SequenceNode:
		if i := p.first(key); i >= 0 {
			return node.Resolve(p.node.Content[i])
		}
	}
	return nil
}

// An index is only worth its cost for many children, and for more than a few searches.
const (
	fewChildren = 8
	fewSearches = 4
)

// needsNoIndex reports whether it is searched without an index once more.
func (p *indexedNode) needsNoIndex() bool {
	p.searches++
	return p.index == nil && (len(p.node.Content) <= fewChildren || p.searches <= fewSearches)
}

// first returns the index of the first entry of a list that has a key, or -1.
func (p *indexedNode) first(key string) int {
	if p.needsNoIndex() && key != "" && !strings.HasPrefix(key, hashMark) {
		row := pod.At(p.path)
		hasKey := func(entry *node.Node) bool { return row.Key(node.Resolve(entry)) == key }
		return slices.IndexFunc(p.node.Content, hasKey)
	}
	all := p.allOf(key)
	if kept := slices.IndexFunc(all, func(i int) bool { return !p.isRemoved(i) }); kept >= 0 {
		return all[kept]
	}
	return -1
}

// inside returns the node at a key, which it makes safe to change, given its path.
func (p *editedNode) inside(key, path string) *editedNode {
	c := &editedNode{indexedNode: indexedNode{path: path}, above: p, key: key, clones: p.clones}
	if i := p.own(key); i >= 0 {
		c.node = p.node.Content[i]
	}
	if c.isThere = !node.IsNull(c.node); !c.isThere {
		if c.node = node.Mapping(); pod.At(c.path).IsKeyed() {
			c.node = node.Sequence()
		}
	}
	return c
}

// own makes a value, or the first entry of a key, safe to change, and returns its index, or -1.
func (p *editedNode) own(key string) int {
	if all := p.find(key); len(all) > 0 {
		p.clones.OwnEntry(p.node, all[0])
		return all[0]
	}
	if p.kind() != node.MappingNode || len(p.find("<<")) == 0 || p.get(key) == nil || p.clones.Own(p.node, key) == nil {
		return -1
	}
	if p.index != nil {
		p.index[key] = []int{len(p.node.Content) - 1}
	}
	return len(p.node.Content) - 1
}

// find returns the indexes of a value, or of the entries that have a key, except those that were removed.
func (p *indexedNode) find(key string) []int {
	if p.node == nil {
		return nil
	}
	all := p.allOf(key)
	if slices.ContainsFunc(all, p.isRemoved) {
		all = slices.DeleteFunc(slices.Clone(all), p.isRemoved)
	}
	return all
}

// allOf is like find, except that it may return what was removed.
func (p *indexedNode) allOf(key string) []int {
	if p.needsNoIndex() {
		var all []int
		p.eachKey(func(other string, i int) {
			if other == key {
				all = append(all, i)
			}
		})
		return all
	}
	if p.index == nil {
		p.index = make(map[string][]int, len(p.node.Content))
		p.eachKey(func(key string, i int) { p.index[key] = append(p.index[key], i) })
	}
	return p.index[key]
}

// removed replaces what is removed, so that the indexes of the rest stay as they are until close.
var removed = &node.Node{Kind: node.ScalarNode, Tag: node.OtherTag, Value: "\x00"} // no key of a text has this value

func (p *indexedNode) isRemoved(i int) bool { return p.node.Content[i] == removed }

// eachKey calls do with the key and the index of each value or entry.
func (p *indexedNode) eachKey(do func(key string, i int)) {
	switch p.node.Kind {
	case node.MappingNode:
		for i := 0; i+1 < len(p.node.Content); i += 2 {
			do(p.node.Content[i].Value, i+1)
		}
	case node.SequenceNode:
		for i, entry := range p.node.Content {
			do(KeyOf(p.path, entry), i)
		}
	}
}

// add adds a value or an entry. A node that is missing or null is made, but not the mapping around it.
func (p *editedNode) add(key string, n *node.Node) {
	if !p.isThere {
		if p.above == nil || !p.above.isThere || p.above.node.Kind != node.MappingNode {
			return
		}
		node.Set(p.above.node, p.key, p.node)
		p.isThere = true
		p.above.index = nil
	}
	switch p.node.Kind {
	case node.MappingNode:
		if present := p.find(key); len(present) > 0 {
			p.node.Content[present[0]] = n
			return
		}
		p.node.Content = append(p.node.Content, node.String(key), n)
	case node.SequenceNode:
		p.node.Content = append(p.node.Content, n)
	default:
		return
	}
	if p.index != nil {
		p.index[key] = append(p.index[key], len(p.node.Content)-1)
	}
}

// remove removes the entries, or the values and their keys, at indexes.
func (p *editedNode) remove(indexes ...int) {
	for _, i := range indexes {
		p.node.Content[i] = removed
		p.isShrunk = true
		if p.node.Kind == node.MappingNode {
			p.node.Content[i-1] = removed
		}
	}
}

func (p *editedNode) close() {
	if slices.Contains(p.node.Content, removed) {
		p.node.Content = slices.DeleteFunc(p.node.Content, func(child *node.Node) bool { return child == removed })
		p.index = nil
	}
}

// isEmpty reports whether the mapping or list is there and has nothing left.
func (p *editedNode) isEmpty() bool {
	return p.isThere && p.node.Kind != node.ScalarNode && len(p.node.Content) == 0
}
