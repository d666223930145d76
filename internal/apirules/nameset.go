package apirules

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// nameSet is a set of names that keeps their order. It searches a few names one by one, which is faster than a
// map; more names get a map, which bounds the time that hostile input takes.
type nameSet struct {
	list  []string
	index map[string]int
}

// fewNames is the largest set without a map.
const fewNames = 16

// add adds a name. If the set has it already, add returns its index.
func (n *nameSet) add(name string) (index int, again bool) {
	if index, again = n.find(name); again {
		return index, true
	}
	n.list = append(n.list, name)
	switch last := len(n.list) - 1; {
	case n.index != nil:
		n.index[name] = last
	case last == fewNames:
		n.index = make(map[string]int, 2*fewNames)
		for i, name := range n.list {
			n.index[name] = i
		}
	}
	return 0, false
}

func (n *nameSet) has(name string) bool {
	_, found := n.find(name)
	return found
}

func (n *nameSet) find(name string) (index int, found bool) {
	if n.index != nil {
		index, found = n.index[name]
		return index, found
	}
	index = slices.Index(n.list, name)
	return index, index >= 0
}

// repeats returns the indexes of entries whose field has the same text as in an earlier entry.
func repeats(entries []*yaml.Node, field string) []int {
	var texts nameSet
	var indexes []int
	for i, entry := range entries {
		if _, again := texts.add(node.Text(entry, field)); again {
			indexes = append(indexes, i)
		}
	}
	return indexes
}
