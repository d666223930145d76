// Package extent tells where the nodes of a parsed document begin and end in its text.
// The YAML parser gives only where a node begins, and a mapping shares that with its first
// key; the rest is found by reading the text again along the tree.
package extent

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// Extent is where a node stands in the text, in byte offsets.
type Extent struct {
	// Start is the first byte, properties (an anchor, a tag) included.
	Start int
	// Content is the first byte behind the properties.
	Content int
	// End is the byte behind the last one. A block scalar ends where the line behind it begins.
	End int
	// Lead is the dash before an entry of a block sequence or the colon before the value
	// of a mapping, and -1 elsewhere.
	Lead int
}

// Map holds the extents of all nodes of one document.
type Map struct {
	Lines
	nodes map[*yaml.Node]Extent
}

// usualNodes is room for the nodes on the way to a change and beside it.
const usualNodes = 64

// Of finds the extents of the nodes of a document that was parsed from text. It fails
// where the text is written in a way that it does not understand. What
// stands inside of the nodes in kept is passed over, as nobody will ask for it.
func Of(text []byte, document *yaml.Node, kept map[*yaml.Node]bool) (*Map, error) {
	m := &Map{Lines: NewLines(text), nodes: make(map[*yaml.Node]Extent, usualNodes)}
	f := finder{Map: m, kept: kept}
	root := document
	if document.Kind == yaml.DocumentNode {
		root = document.Content[0]
	}
	return m, f.node(root, -1, false)
}

// Get is the extent of a node of the document.
func (m *Map) Get(n *yaml.Node) Extent { return m.nodes[n] }

// finder walks the tree and the text side by side.
type finder struct {
	*Map
	// at is the end of what was found so far: nodes never go back.
	at int
	// last is where the last node began.
	last place
	kept map[*yaml.Node]bool
	// passing tells that the finder is inside of a node that is kept.
	passing bool
}

// node finds one node. Indent is the column of the block collection around it, which
// decides where plain and block scalars end.
func (f *finder) node(n *yaml.Node, indent int, flow bool) error {
	start := f.last.move(f.Lines, n.Line, n.Column)
	if start < f.at {
		return f.odd(n)
	}
	e := Extent{Start: start, Lead: -1}
	propertiesEnd := start
	if !sharesStart(n) {
		propertiesEnd = f.properties(start, flow)
	}
	f.at = propertiesEnd
	if isEmpty(n) {
		e.Content, e.End = propertiesEnd, propertiesEnd
		f.nodes[n] = e
		return nil
	}
	e.Content = propertiesEnd
	if propertiesEnd > start {
		e.Content = f.skipSpace(propertiesEnd)
	}
	f.at = e.Content
	if f.kept[n] && !f.passing {
		f.passing = true
		defer func() { f.passing = false }()
	}
	var err error
	switch {
	case n.Kind == yaml.ScalarNode:
		f.at, err = f.scalarEnd(n, e.Content, indent, flow)
	case n.Kind == yaml.AliasNode:
		f.at = f.nameEnd(e.Content + 1)
	case n.Style&yaml.FlowStyle != 0:
		err = f.flowCollection(n, e.Content)
	case f.passing && len(n.Content) > 0 && !isEmpty(n.Content[len(n.Content)-1]):
		err = f.node(n.Content[len(n.Content)-1], f.Column(e.Content), false) // it ends where its last child does
	case n.Kind == yaml.MappingNode:
		err = f.blockMapping(n, e.Content)
	case n.Kind == yaml.SequenceNode:
		err = f.blockSequence(n, e.Content)
	default:
		err = f.odd(n)
	}
	e.End = f.at
	f.nodes[n] = e
	return err
}

// sharesStart tells whether a mapping begins where its first key does, so that a tag or an anchor
// that stands there is the key's.
func sharesStart(n *yaml.Node) bool {
	return n.Kind == yaml.MappingNode && len(n.Content) > 0 && n.Content[0].Line == n.Line && n.Content[0].Column == n.Column
}

// isEmpty tells whether a node is written as nothing at all: "key:" or "- ".
func isEmpty(n *yaml.Node) bool {
	const written = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	return n.Kind == yaml.ScalarNode && n.Value == "" && n.Style&written == 0
}

func (f *finder) blockMapping(n *yaml.Node, content int) error {
	indent := f.Column(content)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		mark := f.explicitMark(indent)
		if err := f.key(key, mark, indent); err != nil {
			return err
		}
		colon := f.skipBlanks(f.at)
		if mark >= 0 {
			colon = f.skipSpace(f.at)
		}
		switch {
		case colon < len(f.text) && f.text[colon] == ':' && (mark < 0 || f.Column(colon) == indent):
		case mark >= 0 && isEmpty(value): // the parser puts it where the next token is
			f.nodes[value] = Extent{Start: f.at, Content: f.at, End: f.at, Lead: -1}
			continue
		default:
			return f.odd(key)
		}
		f.at = colon + 1
		if err := f.node(value, indent, false); err != nil {
			return err
		}
		f.lead(value, colon)
	}
	return nil
}

func (f *finder) blockSequence(n *yaml.Node, content int) error {
	indent := f.Column(content)
	for _, entry := range n.Content {
		dash := f.skipSpace(f.at)
		if dash >= len(f.text) || f.text[dash] != '-' || f.Column(dash) != indent {
			return f.odd(entry)
		}
		f.at = dash + 1
		if err := f.node(entry, indent, false); err != nil {
			return err
		}
		f.lead(entry, dash)
	}
	return nil
}

func (f *finder) lead(n *yaml.Node, at int) {
	e := f.nodes[n]
	e.Lead = at
	f.nodes[n] = e
}

// odd is the error for text that is legal, but not written as anyone would.
func (f *finder) odd(n *yaml.Node) error {
	return fmt.Errorf("line %d is written in a way that cannot be followed", n.Line)
}
