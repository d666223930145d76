package splice

import (
	"errors"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// change is what becomes of one child of a collection, by its index before and after, or -1. A child is an entry, or a
// key with its value.
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

// pairUp appends the changes of the children that are removed and added, from one pair of indexes until another. If
// more entries are removed than added, or the other way round, those whose name differs have no partner. A pair
// replaces only one with the same key. In braces, pairs are removed before others are added, so that those at the end
// go together with the comma in front of them.
func pairUp(changes []change, b, a *node.Node, next, until change) []change {
	inBraces := b.Kind == node.MappingNode && b.Style&node.FlowStyle != 0
	for next != until {
		gone, come := until.before-next.before, until.after-next.after
		canPair := gone > 0 && come > 0
		isPair := canPair && nameOf(b, next.before) == nameOf(a, next.after) || canPair && gone == come && b.Kind == node.SequenceNode
		c := next
		switch {
		case isPair:
			next.before, next.after = next.before+1, next.after+1
		case gone >= come, inBraces && gone > 0 && node.Index(a, nameOf(b, next.before)) < 0:
			c.after = -1
			next.before++
		default:
			c.before = -1
			next.after++
		}
		changes = append(changes, c)
	}
	return changes
}

// nameOf returns the key of a pair, or the value of the key "name" of an entry, or nothing.
func nameOf(n *node.Node, i int) string {
	if n.Kind == node.MappingNode {
		return n.Content[2*i].Value
	}
	return node.Text(n.Content[i], "name")
}

// indexOf returns the index that a child had before, or -1 if it is new. The search begins at next, because most
// children are still in order.
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

// runOf returns how many changes, from the first on, are additions like it, or removals like it. Children that stay are
// runs of one.
func runOf(changes []change) int {
	first, count := changes[0], 1
	for count < len(changes) && (first.before < 0) != (first.after < 0) &&
		(changes[count].before < 0) == (first.before < 0) && (changes[count].after < 0) == (first.after < 0) {
		count++
	}
	return count
}
