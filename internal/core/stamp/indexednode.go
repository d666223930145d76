package stamp

import (
	"slices"
	"strings"

	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// IndexedNode is a mapping or list of a template. It searches nothing twice, because a stamp may have thousands of keys.
type IndexedNode struct {
	Path        string
	Node        *node.Node
	index       map[string][]int // the indexes of values and entries by their keys; nil until it is needed
	searches    int              // how often it was searched without an index
	values      node.Lookup      // of a mapping, with those from merge keys
	knowsValues bool
}

// Kind returns the kind of the node, or 0 if there is none.
func (p *IndexedNode) Kind() node.Kind {
	if p.Node == nil {
		return 0
	}
	return p.Node.Kind
}

// Get returns what has a key, or nil.
func (p *IndexedNode) Get(key string) *node.Node {
	switch p.Kind() {
	case node.MappingNode:
		if !p.knowsValues {
			p.values = node.Values(p.Node)
			p.knowsValues = true
		}
		return node.Resolve(p.values.Get(key))
	case node.SequenceNode:
		if i := p.first(key); i >= 0 {
			return node.Resolve(p.Node.Content[i])
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
func (p *IndexedNode) needsNoIndex() bool {
	p.searches++
	return p.index == nil && (len(p.Node.Content) <= fewChildren || p.searches <= fewSearches)
}

// first returns the index of the first entry of a list that has a key, or -1.
func (p *IndexedNode) first(key string) int {
	if p.needsNoIndex() && key != "" && !strings.HasPrefix(key, hashMark) {
		row := pod.At(p.Path)
		hasKey := func(entry *node.Node) bool { return row.Key(node.Resolve(entry)) == key }
		return slices.IndexFunc(p.Node.Content, hasKey)
	}
	if all := p.AllOf(key); len(all) > 0 {
		return all[0]
	}
	return -1
}

// AllOf returns the indexes of a value, or of the entries that have a key.
func (p *IndexedNode) AllOf(key string) []int {
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
		p.index = make(map[string][]int, len(p.Node.Content))
		p.eachKey(func(key string, i int) { p.index[key] = append(p.index[key], i) })
	}
	return p.index[key]
}

// Note notes that a key has an index now, if indexes are known.
func (p *IndexedNode) Note(key string, i int) {
	if p.index != nil {
		p.index[key] = append(p.index[key], i)
	}
}

// Forget forgets the indexes, because the node has changed.
func (p *IndexedNode) Forget() { p.index = nil }

// eachKey calls do with the key and the index of each value or entry.
func (p *IndexedNode) eachKey(do func(key string, i int)) {
	switch p.Node.Kind {
	case node.MappingNode:
		for i := 0; i+1 < len(p.Node.Content); i += 2 {
			do(p.Node.Content[i].Value, i+1)
		}
	case node.SequenceNode:
		for i, entry := range p.Node.Content {
			do(KeyOf(p.Path, entry), i)
		}
	}
}
