// Package extent finds where the nodes of a parsed document begin and end in its text.
// The YAML library gives only the position at which a node begins, which a mapping shares with its first key. The rest is found
// by reading the text again along the tree, and only as far as needed; so the readers need not record it for all nodes.
package extent

import (
	"fmt"

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
	nodes map[*yaml.Node]Extent
}

// usualNodes is room for the nodes on the way to a change and beside it.
const usualNodes = 64

// Find finds the extents of the nodes of a document that was parsed from text. It passes over what is inside of the nodes in
// kept. It fails if the text is written in a way that it does not understand.
func Find(text []byte, document *yaml.Node, kept map[*yaml.Node]bool) (*Map, error) {
	m := &Map{Lines: lex.NewLines(text), nodes: make(map[*yaml.Node]Extent, usualNodes)}
	f := finder{Map: m, text: text, kept: kept}
	root := document
	if document.Kind == yaml.DocumentNode {
		root = document.Content[0]
	}
	return m, f.node(root, -1, false)
}

// Get returns the extent of a node of the document.
func (m *Map) Get(n *yaml.Node) Extent { return m.nodes[n] }

// finder walks the tree and the text side by side.
type finder struct {
	*Map
	text []byte
	// at is the end of what was found so far: nodes never go back.
	at int
	// last is the position of the last node.
	last lex.Cursor
	kept map[*yaml.Node]bool
	// passing is set inside of a node that is kept.
	passing bool
}

// node finds one node. Indent is the column of the block collection around it, which decides where plain and block scalars end.
func (f *finder) node(n *yaml.Node, indent int, flow bool) error {
	e := Extent{Start: f.last.Move(f.Lines, n.Line, n.Column), Lead: -1}
	if e.Start < f.at {
		return f.unclear(n)
	}
	f.at = e.Start
	if !sharesStart(n) {
		f.at = f.propertiesEnd(e.Start, flow)
	}
	e.Content = f.at
	if isEmpty(n) {
		e.End = f.at
		f.nodes[n] = e
		return nil
	}
	if f.at > e.Start {
		e.Content = lex.SkipSpace(f.text, f.at)
		f.at = e.Content
	}
	if f.kept[n] && !f.passing {
		f.passing = true
		defer func() { f.passing = false }()
	}
	err := f.content(n, e.Content, indent, flow)
	e.End = f.at
	f.nodes[n] = e
	return err
}

// content goes behind the content of a node.
func (f *finder) content(n *yaml.Node, at, indent int, flow bool) error {
	switch {
	case n.Kind == yaml.ScalarNode:
		if f.at = f.scalarEnd(n, at, indent, flow); f.at <= at {
			return f.unclear(n)
		}
		return nil
	case n.Kind == yaml.AliasNode:
		f.at = lex.NameEnd(f.text, at+1)
		return nil
	case n.Style&yaml.FlowStyle != 0:
		return f.flowCollection(n, at)
	case f.passing && len(n.Content) > 0 && !isEmpty(n.Content[len(n.Content)-1]):
		return f.node(n.Content[len(n.Content)-1], f.Column(at), false) // it ends where its last child does
	case n.Kind == yaml.MappingNode:
		return f.blockMapping(n, f.Column(at))
	case n.Kind == yaml.SequenceNode:
		return f.blockSequence(n, f.Column(at))
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

// setLead records the dash or the colon before a node.
func (f *finder) setLead(n *yaml.Node, at int) {
	e := f.nodes[n]
	e.Lead = at
	f.nodes[n] = e
}

// unclear returns the error for text that is valid, but written in an unusual way.
func (f *finder) unclear(n *yaml.Node) error {
	return fmt.Errorf("line %d is written in a way that cannot be followed", n.Line)
}
