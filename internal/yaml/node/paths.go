package node

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Paths translates field paths of one version of an object to another version, in which entries of lists may have other indexes.
type Paths struct {
	from, to *yaml.Node
	indexes  map[*yaml.Node]map[Position]int // of the entries of lists
}

// NewPaths returns the translation between two versions of an object.
func NewPaths(from, to *yaml.Node) *Paths {
	return &Paths{from: from, to: to, indexes: map[*yaml.Node]map[Position]int{}}
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
		part, next := path[:len(path)-len(rest)], (*yaml.Node)(nil)
		if from.Kind == yaml.SequenceNode {
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
func (p *Paths) indexOf(list, entry *yaml.Node) (at int, known bool) {
	if list.Kind != yaml.SequenceNode || !IsRead(entry) {
		return 0, false
	}
	indexes := p.indexes[list]
	if indexes == nil {
		indexes = make(map[Position]int, len(list.Content))
		for i, each := range list.Content {
			indexes[PositionOf(each)] = i
		}
		p.indexes[list] = indexes
	}
	at, known = indexes[PositionOf(entry)]
	return at, known
}
