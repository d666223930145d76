package check

import "slices"

// names are the names that were met, in order. Few are looked through one by one, which is
// quicker than a map; a stranger's thousands get one.
type names struct {
	list  []string
	index map[string]int
}

// fewNames is up to how many names are looked through.
const fewNames = 16

// add takes in a name, and tells at which place it stands where it was met before.
func (n *names) add(name string) (first int, again bool) {
	if first, again = n.find(name); again {
		return first, true
	}
	n.list = append(n.list, name)
	switch at := len(n.list) - 1; {
	case n.index != nil:
		n.index[name] = at
	case at == fewNames:
		n.index = make(map[string]int, 2*fewNames)
		for i, met := range n.list {
			n.index[met] = i
		}
	}
	return 0, false
}

func (n *names) has(name string) bool {
	_, met := n.find(name)
	return met
}

func (n *names) find(name string) (at int, met bool) {
	if n.index != nil {
		at, met = n.index[name]
		return at, met
	}
	at = slices.Index(n.list, name)
	return at, at >= 0
}
