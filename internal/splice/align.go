package splice

import (
	"errors"

	"go.yaml.in/yaml/v3"
)

// change is what becomes of the children of a collection at one place: the child before, or
// none, and the child after, or none. A child is an entry, or a key with its value.
type change struct {
	before, after int // index of the child, -1 for none
}

// children is the number of entries or pairs.
func children(n *yaml.Node) int {
	if n.Kind == yaml.MappingNode {
		return len(n.Content) / 2
	}
	return len(n.Content)
}

// head is the node that a child is known by: the key of a pair, the entry itself.
func head(n *yaml.Node, i int) *yaml.Node {
	if n.Kind == yaml.MappingNode {
		return n.Content[2*i]
	}
	return n.Content[i]
}

// align brings the children of a collection before and after side by side, in order. Where
// entries are removed and others come in their place, the one replaces the other.
func align(b, a *yaml.Node) ([]change, error) {
	var changes []change
	next := 0
	var fresh []int
	flush := func(until int) {
		for ; next < until; next++ {
			c := change{before: next, after: -1}
			if len(fresh) > 0 && replaces(b, a, next, fresh[0]) {
				c.after, fresh = fresh[0], fresh[1:]
			}
			changes = append(changes, c)
		}
		for _, i := range fresh {
			changes = append(changes, change{-1, i})
		}
		fresh = nil
	}
	for i := range children(a) {
		kept := indexOf(b, a, i, next)
		if kept < 0 {
			fresh = append(fresh, i)
			continue
		}
		if kept < next {
			return nil, errors.New("entries were put into another order")
		}
		flush(kept)
		changes = append(changes, change{kept, i})
		next = kept + 1
	}
	flush(children(b))
	return changes, nil
}

// replaces tells whether a new child takes the place of an old one: any entry does, a pair
// only under the same key.
func replaces(b, a *yaml.Node, old, fresh int) bool {
	return b.Kind == yaml.SequenceNode || sameText(head(b, old), head(a, fresh))
}

// indexOf is the index that a child had before, or -1 where it is new. Next is where it is
// looked for first: most children are still in order.
func indexOf(b, a *yaml.Node, i, next int) int {
	if !isOriginal(head(a, i)) {
		return -1
	}
	count := children(b)
	for step := range count {
		if j := (next + step) % count; samePlace(head(b, j), head(a, i)) {
			return j
		}
	}
	return -1
}

// runOf is how many changes from the first on are of its sort. Children that stay are runs
// of one.
func runOf(changes []change) int {
	first := changes[0]
	if first.before >= 0 && first.after >= 0 {
		return 1
	}
	for i, c := range changes {
		if (c.before >= 0) != (first.before >= 0) || (c.after >= 0) != (first.after >= 0) {
			return i
		}
	}
	return len(changes)
}
