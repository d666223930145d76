package stamp

import (
	"math"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// pair finds for each entry of a list the index that it had before, or -1. An entry of the same
// key stands for the one before where it has kept its place among the others.
func pair(list string, were, are []*yaml.Node) []int {
	origin := make([]int, len(are))
	front, back := node.Shared(were, are)
	left := newIndex(were[front : len(were)-back])
	var unknown []int
	for i := range are {
		switch {
		case i < front:
			origin[i] = i
		case i >= len(are)-back:
			origin[i] = i - len(are) + len(were)
		default:
			if origin[i] = left.find(are[i]); origin[i] < 0 {
				unknown = append(unknown, i)
			} else {
				origin[i] += front
			}
		}
	}
	order := newOrder(origin)
	for _, i := range unknown {
		j := left.findKey(list, are[i])
		switch {
		case j < 0:
		case order.fits(i, j+front):
			origin[i] = j + front
		default:
			left.giveBack(list, are[i])
		}
	}
	return origin
}

// order tells whether entries of a list have kept their places among the others.
type order struct {
	origin        []int // the index that each entry had, or -1
	after         []int // the lowest index that one behind an entry had at first
	highest, seen int   // the highest index that one of those seen had
}

func newOrder(origin []int) *order {
	o := &order{origin: origin, after: make([]int, len(origin)), highest: -1}
	lowest := math.MaxInt
	for i := len(origin) - 1; i >= 0; i-- {
		o.after[i] = lowest
		if origin[i] >= 0 {
			lowest = min(lowest, origin[i])
		}
	}
	return o
}

// fits tells whether an entry that was at j and is at i has kept its place. The entries come in order of i.
func (o *order) fits(i, j int) bool {
	for ; o.seen < i; o.seen++ {
		o.highest = max(o.highest, o.origin[o.seen])
	}
	return o.highest < j && j < o.after[i]
}

// place tells a node from all others of its text except copies of itself.
type place struct {
	line, column int
	kind         yaml.Kind
}

func placeIn(n *yaml.Node) place { return place{n.Line, n.Column, n.Kind} }

// isNew tells whether a node has never been part of a text.
func isNew(n *yaml.Node) bool { return n.Line == 0 && n.Column == 0 }

// sameOrigin tells whether one node is a copy of the other.
func sameOrigin(b, a *yaml.Node) bool {
	return b.Line == a.Line && b.Column == a.Column && !isNew(b)
}
