package stamp

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// place is a mapping or list of a template that is being changed, and safe to change. It searches nothing twice, because a stamp may
// have thousands of keys.
type place struct {
	path    string
	node    *yaml.Node // without content if it is not there
	isThere bool
	above   *place
	key     string // in the place above

	index    map[string][]int // the indexes of values and entries by their keys; nil until it is needed
	values   node.Lookup      // of a mapping with a merge key, which has values of others
	isMerged bool
	isShrunk bool // whether something was removed from it, or from what is in it
}

// placeAt returns the place that a path of a template leads to.
func placeAt(template *yaml.Node, path string) *place {
	p := &place{node: template, isThere: true}
	for _, key := range Steps(path) {
		p = p.inside(key)
	}
	return p
}

// inside returns the place at a key, which it makes safe to change.
func (p *place) inside(key string) *place {
	c := &place{path: join(p.path, key), above: p, key: key}
	if i := p.own(key); i >= 0 {
		c.node = p.node.Content[i]
	}
	if c.isThere = !node.IsNull(c.node); !c.isThere {
		c.node = &yaml.Node{Kind: yaml.MappingNode}
		if pod.At(c.path).IsKeyed() {
			c.node.Kind = yaml.SequenceNode
		}
	}
	return c
}

// own makes a value, or the first entry of a key, safe to change, and returns its index, or -1.
func (p *place) own(key string) int {
	if all := p.find(key); len(all) > 0 {
		node.OwnEntry(p.node, all[0])
		return all[0]
	}
	if len(p.index["<<"]) == 0 || p.node.Kind != yaml.MappingNode {
		return -1
	}
	if !p.isMerged {
		p.values, p.isMerged = node.Values(p.node), true
	}
	if p.values.Get(key) == nil || node.Own(p.node, key) == nil {
		return -1
	}
	p.index[key] = []int{len(p.node.Content) - 1}
	return len(p.node.Content) - 1
}

// find returns the indexes of a value, or of the entries that have a key, except those that were removed.
func (p *place) find(key string) []int {
	if p.index == nil {
		p.index = indexesByKey(p.node, p.path)
	}
	all := p.index[key]
	if slices.ContainsFunc(all, p.isRemoved) {
		all = slices.DeleteFunc(slices.Clone(all), p.isRemoved)
	}
	return all
}

// removed replaces what is removed, so that the indexes of the rest stay as they are until close.
var removed = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!removed", Value: "\x00"} // no key of a text has this value

func (p *place) isRemoved(i int) bool { return p.node.Content[i] == removed }

// indexesByKey returns the indexes of the values or entries of the mapping or list at a path by their keys.
func indexesByKey(in *yaml.Node, path string) map[string][]int {
	indexes := make(map[string][]int, len(in.Content))
	switch in.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(in.Content); i += 2 {
			key := in.Content[i].Value
			indexes[key] = append(indexes[key], i+1)
		}
	case yaml.SequenceNode:
		for i, entry := range in.Content {
			key := KeyOf(path, entry)
			indexes[key] = append(indexes[key], i)
		}
	}
	return indexes
}

// add adds a value or an entry. A place that is missing or null is made, but not the mapping around it.
func (p *place) add(key string, n *yaml.Node) {
	if !p.isThere {
		if p.above == nil || !p.above.isThere || p.above.node.Kind != yaml.MappingNode {
			return
		}
		node.Set(p.above.node, p.key, p.node)
		p.isThere, p.above.index = true, nil
	}
	switch p.node.Kind {
	case yaml.MappingNode:
		node.Set(p.node, key, n)
	case yaml.SequenceNode:
		p.node.Content = append(p.node.Content, n)
	}
	p.index = nil
}

// remove removes the entries, or the values and their keys, at indexes.
func (p *place) remove(indexes ...int) {
	for _, i := range indexes {
		p.node.Content[i], p.isShrunk = removed, true
		if p.node.Kind == yaml.MappingNode {
			p.node.Content[i-1] = removed
		}
	}
}

func (p *place) close() {
	if slices.Contains(p.node.Content, removed) {
		p.node.Content = slices.DeleteFunc(p.node.Content, func(child *yaml.Node) bool { return child == removed })
		p.index = nil
	}
}

// isEmpty reports whether the mapping or list is there and has nothing left.
func (p *place) isEmpty() bool {
	return p.isThere && p.node.Kind != yaml.ScalarNode && len(p.node.Content) == 0
}
