package node

import (
	"strconv"
	"strings"
)

// Paths translates field paths of one version of an object to another version, in which entries of lists may have other indexes.
type Paths struct {
	from, to *Node
	indexes  map[int32]int // of the entries of all lists of the other version, by where they start
}

// NewPaths returns the translation between two versions of an object.
func NewPaths(from, to *Node) *Paths {
	p := &Paths{from, to, map[int32]int{}}
	Visit(to, func(n *Node) {
		if n.Kind == SequenceNode {
			for i, entry := range n.Content {
				p.indexes[entry.Start] = i
			}
		}
	})
	return p
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
			if at := p.indexes[value.Start]; IsRead(value) && at < len(to.Content) && IsSame(to.Content[at], value) {
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
