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
	next, fresh := 0, 0 // the children that come behind the last one that stays
	for i := range a.Children() {
		kept := indexOf(b, a, i, next)
		if kept < 0 {
			continue
		}
		if kept < next {
			return changes, errors.New("entries were put into another order")
		}
		changes = append(pairUp(changes, b, a, change{next, fresh}, change{kept, i}), change{kept, i})
		next, fresh = kept+1, i+1
	}
	return pairUp(changes, b, a, change{next, fresh}, change{b.Children(), a.Children()}), nil
}

// pairUp appends the changes of the children that are removed and added, from one pair of indexes until another. An entry replaces the
// one with the same name, or else any; a pair replaces one with the same key.
func pairUp(changes []change, b, a *node.Node, from, until change) []change {
	if from == until {
		return changes
	}
	gone, come := map[string]int{}, map[string]int{} // how many entries of each name are left to be removed and added
	for i := from.before; i < until.before; i++ {
		gone[nameOf(b, i)]++
	}
	for i := from.after; i < until.after; i++ {
		come[nameOf(a, i)]++
	}
	fresh := from.after
	insert := func() {
		changes = append(changes, change{-1, fresh})
		come[nameOf(a, fresh)]--
		fresh++
	}
	for i := from.before; i < until.before; i++ {
		name := nameOf(b, i)
		gone[name]--
		for name != "" && come[name] > 0 && nameOf(a, fresh) != name {
			insert()
		}
		c := change{i, -1}
		if fresh < until.after && (b.Kind == node.SequenceNode || sameText(head(b, i), head(a, fresh))) {
			if other := nameOf(a, fresh); other == name || other == "" || gone[other] == 0 {
				c.after = fresh
				come[other]--
				fresh++
			}
		}
		changes = append(changes, c)
	}
	for fresh < until.after {
		insert()
	}
	return changes
}

// nameOf returns the value of the key "name" of an entry, or nothing.
func nameOf(n *node.Node, i int) string { return node.Text(head(n, i), "name") }

// indexOf returns the index that a child had before, or -1 if it is new. The search begins at next, because most children are
// still in order.
func indexOf(b, a *node.Node, i, next int) int {
	if !node.IsRead(head(a, i)) {
		return -1
	}
	count := b.Children()
	for step := range count {
		if j := (next + step) % count; node.IsSame(head(b, j), head(a, i)) {
			return j
		}
	}
	return -1
}

// runOf returns how many changes, from the first on, are additions like it, or removals like it. Children that stay are runs of one.
func runOf(changes []change) int {
	first, count := changes[0], 1
	for count < len(changes) && (first.before < 0) != (first.after < 0) &&
		(changes[count].before < 0) == (first.before < 0) && (changes[count].after < 0) == (first.after < 0) {
		count++
	}
	return count
}
