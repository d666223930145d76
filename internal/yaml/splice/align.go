package splice

import (
	"errors"

	"pillion.dev/pillion/internal/yaml/node"
)

// change is what becomes of one child of a collection, by its index before and after, or -1. A child is an entry, or a key with
// its value.
type change struct{ before, after int }

// align appends the changes that pair the children of a collection before and after, in order. If
// entries are removed and others are added at the same place, the one replaces the other.
func align(changes []change, b, a *node.Node) ([]change, error) {
	next := 0
	var fresh []int
	flush := func(until int) {
		changes = pairUp(changes, b, a, next, until, fresh)
		next, fresh = until, nil
	}
	for i := range children(a) {
		kept := indexOf(b, a, i, next)
		if kept < 0 {
			fresh = append(fresh, i)
			continue
		}
		if kept < next {
			return changes, errors.New("entries were put into another order")
		}
		flush(kept)
		changes = append(changes, change{kept, i})
		next = kept + 1
	}
	flush(children(b))
	return changes, nil
}

// pairUp appends the changes of the children that are removed, from one index until another, and of those that are added at the same
// place. An entry replaces the one with the same name, or else any.
func pairUp(changes []change, b, a *node.Node, next, until int, fresh []int) []change {
	if next == until || len(fresh) == 0 {
		return unpaired(changes, next, until, fresh)
	}
	gone, come := map[string]int{}, map[string]int{} // how many entries of each name are left to be removed and added
	for i := next; i < until; i++ {
		gone[nameOf(b, i)]++
	}
	for _, i := range fresh {
		come[nameOf(a, i)]++
	}
	insert := func() {
		changes = append(changes, change{-1, fresh[0]})
		come[nameOf(a, fresh[0])]--
		fresh = fresh[1:]
	}
	for ; next < until; next++ {
		name := nameOf(b, next)
		gone[name]--
		for name != "" && come[name] > 0 && nameOf(a, fresh[0]) != name {
			insert()
		}
		c := change{before: next, after: -1}
		if len(fresh) > 0 && replaces(b, a, next, fresh[0]) {
			if other := nameOf(a, fresh[0]); other == name || other == "" || gone[other] == 0 {
				c.after, fresh = fresh[0], fresh[1:]
				come[other]--
			}
		}
		changes = append(changes, c)
	}
	for len(fresh) > 0 {
		insert()
	}
	return changes
}

// unpaired appends the changes of children that are removed, or of some that are added.
func unpaired(changes []change, next, until int, fresh []int) []change {
	for ; next < until; next++ {
		changes = append(changes, change{next, -1})
	}
	for _, i := range fresh {
		changes = append(changes, change{-1, i})
	}
	return changes
}

// nameOf returns the value of the key "name" of an entry, or nothing.
func nameOf(n *node.Node, i int) string {
	if n.Kind != node.SequenceNode {
		return ""
	}
	return node.Text(n.Content[i], "name")
}

// replaces reports whether a new child may replace an old one: any entry may, and a pair with the same key.
func replaces(b, a *node.Node, old, fresh int) bool {
	return b.Kind == node.SequenceNode || sameText(head(b, old), head(a, fresh))
}

// indexOf returns the index that a child had before, or -1 if it is new. The search begins at next, because most children are
// still in order.
func indexOf(b, a *node.Node, i, next int) int {
	if !node.IsRead(head(a, i)) {
		return -1
	}
	count := children(b)
	for step := range count {
		if j := (next + step) % count; node.IsSame(head(b, j), head(a, i)) {
			return j
		}
	}
	return -1
}

// runOf returns how many changes, from the first on, are additions like it, or removals like it. Children that stay are runs of one.
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
