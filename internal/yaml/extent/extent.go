// Package extent finds where the nodes of a parsed document begin and end in its text.
// The YAML library gives only the position at which a node begins, which a mapping shares with its first key. The rest is found
// by reading the text again along the tree, and only as far as needed; so the readers need not record it for all nodes.
package extent

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

// Extent is the range of a node in the text, in byte offsets.
type Extent struct {
	// Start is the first byte, properties (an anchor, a tag) included.
	Start int
	// Content is the first byte behind the properties.
	Content int
	// End is the byte behind the last one. A block scalar ends where the line behind it begins.
	End int
	// Lead is the dash before an entry of a block sequence or the colon before the value of a mapping, and -1 elsewhere.
	Lead int
}

// Map holds the extents of the nodes of one document.
type Map struct {
	lex.Lines
	// found is in the order of the text, in which a collection comes before its children.
	found []found
	// demand finds the extents that are asked for, or is nil if all are found already.
	demand *demand
}

type found struct {
	node *yaml.Node
	Extent
}

// usualNodes is room for the nodes on the way to a change and beside it.
const usualNodes = 64

// Find finds the extents of the nodes of a document that was parsed from text. If a changed version of the document is given, it
// passes over what is inside of the nodes that both share. It fails if the text is written in a way that it does not understand.
func Find(text []byte, document, changed *yaml.Node) (*Map, error) {
	m := &Map{Lines: lex.NewLines(text), found: make([]found, 0, usualNodes)}
	f := finder{Map: m, text: text}
	if document.Kind != yaml.DocumentNode {
		return m, f.node(document, changed, outside)
	}
	version := versionOf(changed)
	root := document.Content[0]
	return m, f.node(root, version.of(root), outside)
}

// Get returns the extent of a node of the document.
func (m *Map) Get(n *yaml.Node) Extent {
	if m.demand != nil {
		return m.demand.get(n)
	}
	i, _ := slices.BinarySearchFunc(m.found, node.PositionOf(n), func(f found, at node.Position) int {
		return node.PositionOf(f.node).Compare(at)
	})
	for ; i < len(m.found) && node.IsSame(m.found[i].node, n); i++ {
		if m.found[i].node == n {
			return m.found[i].Extent
		}
	}
	return Extent{}
}

// ChildStart returns the offset of the key or the dash with which a child of a block collection begins, by its index in Content.
func (m *Map) ChildStart(in *yaml.Node, index int) int {
	switch {
	case m.demand != nil:
		return m.demand.childStart(in, index)
	case in.Kind == yaml.MappingNode:
		return m.Get(in.Content[index]).Start
	}
	return m.Get(in.Content[index]).Lead
}

// finder walks the tree and the text side by side.
type finder struct {
	*Map
	text []byte
	// at is the end of what was found so far: nodes never go back.
	at int
	// last is the position of the last node.
	last lex.Cursor
	// passing is set inside of a node that is shared with the changed version.
	passing bool
}

// surroundings are the column of the block collection around a node, which decides where plain and block scalars end, whether it is
// in brackets, and the offset of the dash or colon before it.
type surroundings struct {
	indent int
	flow   bool
	lead   int
}

// outside is what the root of a document is in.
var outside = surroundings{indent: -1, lead: -1}

// node finds one node, of which the changed version may be known.
func (f *finder) node(n, changed *yaml.Node, in surroundings) error {
	e := Extent{Start: f.last.Move(f.Lines, n.Line, n.Column), Lead: in.lead}
	if e.Start < f.at {
		return f.unclear(n)
	}
	f.at = e.Start
	if !sharesStart(n) {
		f.at = f.propertiesEnd(e.Start, in.flow)
	}
	e.Content = f.at
	index := len(f.found)
	f.found = append(f.found, found{n, e})
	var err error
	if !isEmpty(n) {
		if f.at > e.Start {
			f.at = lex.SkipSpace(f.text, f.at)
			f.found[index].Content = f.at
		}
		wasPassing := f.passing
		f.passing = wasPassing || n == changed
		err = f.content(n, changed, f.at, in)
		f.passing = wasPassing
	}
	f.found[index].End = f.at
	return err
}

// content goes behind the content of a node.
func (f *finder) content(n, changed *yaml.Node, at int, in surroundings) error {
	switch {
	case n.Kind == yaml.ScalarNode:
		if f.at = f.scalarEnd(n, at, in.indent, in.flow); f.at <= at {
			return f.unclear(n)
		}
		return nil
	case n.Kind == yaml.AliasNode:
		f.at = lex.NameEnd(f.text, at+1)
		return nil
	case n.Style&yaml.FlowStyle != 0:
		return f.flowCollection(n, versionOf(changed), at)
	case f.passing && len(n.Content) > 0 && !isEmpty(n.Content[len(n.Content)-1]):
		return f.node(n.Content[len(n.Content)-1], nil, surroundings{f.Column(at), false, -1}) // it ends where its last child does
	case n.Kind == yaml.MappingNode:
		return f.blockMapping(n, versionOf(changed), f.Column(at))
	case n.Kind == yaml.SequenceNode:
		return f.blockSequence(n, versionOf(changed), f.Column(at))
	}
	return f.unclear(n)
}

// sharesStart reports whether a mapping begins where its first key does, so that a tag or an anchor there is the key's.
func sharesStart(n *yaml.Node) bool {
	return n.Kind == yaml.MappingNode && len(n.Content) > 0 && node.PositionOf(n) == node.PositionOf(n.Content[0])
}

// isEmpty reports whether a node is written as nothing at all: "key:" or "- ".
func isEmpty(n *yaml.Node) bool {
	const written = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	return n.Kind == yaml.ScalarNode && n.Value == "" && n.Style&written == 0
}

// propertiesEnd returns the offset behind the anchor and the tag that a node may begin with.
func (f *finder) propertiesEnd(at int, flow bool) int {
	end := at
	for at < len(f.text) {
		switch f.text[at] {
		case '&':
			end = lex.NameEnd(f.text, at+1)
		case '!':
			end = lex.WordEnd(f.text, at+1, flow)
		default:
			return end
		}
		at = lex.SkipSpace(f.text, end)
	}
	return end
}

// scalarEnd returns the offset behind a scalar, or one that is not behind its start if it cannot be found.
func (f *finder) scalarEnd(n *yaml.Node, at, indent int, flow bool) int {
	switch {
	case at >= len(f.text):
		return at
	case n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		return lex.QuotedEnd(f.text, at)
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return lex.BlockScalarEnd(f.text, at, indent)
	}
	return lex.PlainScalarEnd(f.text, at, indent, flow)
}

// isAt reports whether a byte is at the offset.
func (f *finder) isAt(at int, c byte) bool { return at < len(f.text) && f.text[at] == c }

// unclear returns the error for text that is valid, but written in an unusual way.
func (f *finder) unclear(n *yaml.Node) error {
	return fmt.Errorf("line %d is written in a way that cannot be followed", n.Line)
}
