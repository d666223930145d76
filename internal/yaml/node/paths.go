package node

import (
	"strconv"
	"strings"
)

// Paths translates field paths of one version of an object to another version, in which entries of lists may have other indexes.
type Paths struct {
	from, to *Node
	indexes  map[*Node]map[int32]int // of the entries of lists
}

// NewPaths returns the translation between two versions of an object.
func NewPaths(from, to *Node) *Paths {
	return &Paths{from: from, to: to, indexes: map[*Node]map[int32]int{}}
}

// Of returns a path as it is in the other version. Entries of lists are recognised by their position in the text; an entry that the
// other version does not have keeps its index.
func (p *Paths) Of(path string) string {
	var b strings.Builder
	from, to := Resolve(p.from), Resolve(p.to)
	for from != nil && to != nil && path != "" {
		_, value, rest := step(from, path)
		if value == nil {
			break
		}
		part, next := path[:len(path)-len(rest)], (*Node)(nil)
		if from.Kind == SequenceNode {
			if at, known := p.indexOf(to, value); known {
				part, next = "["+strconv.Itoa(at)+"]", to.Content[at]
			}
		} else {
			_, next, _ = step(to, path)
		}
		b.WriteString(part)
		from, to, path = Resolve(value), Resolve(next), rest
	}
	return b.String() + path
}

// indexOf returns the index of an entry in a list of the other version.
func (p *Paths) indexOf(list, entry *Node) (at int, known bool) {
	if list.Kind != SequenceNode || !IsRead(entry) {
		return 0, false
	}
	indexes := p.indexes[list]
	if indexes == nil {
		indexes = make(map[int32]int, len(list.Content))
		for i, each := range list.Content {
			indexes[each.Start] = i
		}
		p.indexes[list] = indexes
	}
	at, known = indexes[entry.Start]
	return at, known
}
