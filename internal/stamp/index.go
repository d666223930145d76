package stamp

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// index finds the nodes of a list again, each once.
type index struct {
	nodes  []*yaml.Node
	places map[place]int
	self   map[*yaml.Node]int
	taken  []bool
	keys   map[string][]int // where nodes of a key are; nil until it is needed
	next   map[string]int   // how many of those were found already
}

func newIndex(nodes []*yaml.Node) *index {
	count := len(nodes)
	x := &index{nodes: nodes, places: make(map[place]int, count), self: make(map[*yaml.Node]int, count), taken: make([]bool, count)}
	for i, n := range nodes {
		x.self[n] = i
		if !isNew(n) {
			x.places[placeIn(n)] = i
		}
	}
	return x
}

// find finds a node itself, or what it is a copy of.
func (x *index) find(n *yaml.Node) int {
	i, known := x.places[placeIn(n)]
	if isNew(n) || !known {
		i, known = x.self[n]
	}
	if !known {
		return -1
	}
	x.taken[i] = true
	return i
}

// findKey finds the first node of the same key that is not taken.
func (x *index) findKey(list string, n *yaml.Node) int {
	if x.keys == nil {
		x.keys, x.next = map[string][]int{}, map[string]int{}
		for i, candidate := range x.nodes {
			if !x.taken[i] {
				key := KeyOf(list, node.Resolve(candidate))
				x.keys[key] = append(x.keys[key], i)
			}
		}
	}
	key := KeyOf(list, node.Resolve(n))
	next := x.next[key]
	if next == len(x.keys[key]) {
		return -1
	}
	x.next[key]++
	return x.keys[key][next]
}

// giveBack lets the node that findKey found last for a key be found again.
func (x *index) giveBack(list string, n *yaml.Node) { x.next[KeyOf(list, node.Resolve(n))]-- }
