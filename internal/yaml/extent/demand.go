package extent

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

// FindOnDemand is like Find for a document that the fast reader of package parse has read from the text: there is nothing in it that
// cannot be followed. So an extent is found only when it is asked for. The result has the memory of an earlier one, which must not be
// used any more and may be nil.
func FindOnDemand(text []byte, document, changed *yaml.Node, reused *Map) *Map {
	m := reused
	if m == nil {
		m = &Map{demand: &demand{}}
	}
	m.Lines = m.Reuse(text)
	version, root := versionOf(changed), document.Content[0]
	d := m.demand
	*d = demand{text: text, document: document, one: Map{Lines: m.Lines, found: d.one.found}, opened: d.opened[:0]}
	d.open(root, version.of(root), -1)
	return m
}

// demand finds extents one by one.
type demand struct {
	text     []byte
	document *yaml.Node
	// opened holds the block collections that are changed inside, in the order of the text.
	opened []opened
	// one is the memory of a search. It is reused for each search.
	one Map
	// last is the one that was asked for last.
	last found
	// all holds all extents once one is asked for that is not in an opened collection.
	all *Map
}

// opened is a collection, and the index of the one around it, or -1.
type opened struct {
	*yaml.Node
	around int
}

// open adds the block collections inside of a node that the changed version does not share.
func (d *demand) open(n, changed *yaml.Node, around int) {
	if n == changed || len(n.Content) == 0 || n.Style&yaml.FlowStyle != 0 {
		return
	}
	index, version := len(d.opened), versionOf(changed)
	d.opened = append(d.opened, opened{n, around})
	for _, child := range n.Content {
		d.open(child, version.of(child), index)
	}
}

func (d *demand) get(n *yaml.Node) Extent {
	if d.last.node == n {
		return d.last.Extent
	}
	if in, index := d.find(n); in != nil {
		d.last = found{n, d.child(in, index)}
		return d.last.Extent
	}
	if d.all == nil {
		d.all, _ = Find(d.text, d.document, nil)
	}
	return d.all.Get(n)
}

// find returns the opened collection that a node is in, and its index there. It returns nil for all other nodes.
func (d *demand) find(n *yaml.Node) (in *yaml.Node, index int) {
	at := node.PositionOf(n)
	i, _ := slices.BinarySearchFunc(d.opened, at, func(o opened, at node.Position) int {
		if node.PositionOf(o.Node).Compare(at) <= 0 {
			return -1
		}
		return 1
	})
	for i--; i >= 0; i = d.opened[i].around {
		in := d.opened[i].Node
		index, _ := slices.BinarySearchFunc(in.Content, at, func(c *yaml.Node, at node.Position) int { return node.PositionOf(c).Compare(at) })
		if index < len(in.Content) && in.Content[index] == n {
			return in, index
		}
	}
	return nil, 0
}

// child finds the extent of a child of a block collection.
func (d *demand) child(in *yaml.Node, index int) Extent {
	e := d.alone(in, index)
	switch {
	case in.Kind == yaml.SequenceNode:
		e.Lead = d.childStart(in, index)
	case index%2 == 1:
		e.Lead = lex.SkipBlanks(d.text, d.alone(in, index-1).End)
	}
	return e
}

// alone finds the extent of a child, except for what comes before it.
func (d *demand) alone(in *yaml.Node, index int) Extent {
	d.one.found = d.one.found[:0]
	f := finder{Map: &d.one, text: d.text, passing: true}
	if err := f.node(in.Content[index], nil, surroundings{in.Column - 1, false, -1}); err != nil {
		return Extent{}
	}
	return d.one.found[0].Extent
}

// childStart returns the offset of a key, or of the dash before an entry.
func (d *demand) childStart(in *yaml.Node, index int) int {
	at := d.one.Lines.ChildStart(in.Content[index].Line, in.Column-1, in.Kind == yaml.SequenceNode)
	switch {
	case at >= 0:
		return at
	case index == 0:
		return d.one.Begin(in.Line) + in.Column - 1
	}
	return lex.SkipSpace(d.text, d.alone(in, index-1).End)
}
