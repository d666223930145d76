// Package extent finds what belongs to the nodes of a document in its text and is not part of their range: the dash or the colon
// before them, and where they begin behind their anchor and tag.
package extent

import (
	"fmt"
	"sort"

	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

// Extent is a node in the text, in byte offsets.
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

// Map finds the extents of the nodes of one document.
type Map struct {
	lex.Lines
	text     []byte
	document *node.Node
	// last is the node that was asked for last.
	last   *node.Node
	extent Extent
}

// Find returns the extents of the nodes of a document that was read from text. It fails if the ranges of the nodes are not known,
// because the text is written in an unusual way. It uses the memory of an earlier result, which may be nil.
func Find(text []byte, document *node.Node, reused *Map) (*Map, error) {
	m := reused
	if m == nil {
		m = new(Map)
	}
	*m = Map{Lines: m.Reuse(text), text: text, document: document}
	if document.Kind == node.DocumentNode && document.Content[0].IsApproximate() {
		return nil, fmt.Errorf("line %d is written in a way that cannot be followed", m.Number(int(document.Content[0].Start)))
	}
	return m, nil
}

// Get returns the extent of a node of the document.
func (m *Map) Get(n *node.Node) Extent {
	if m.last != n {
		m.last, m.extent = n, m.find(n)
	}
	return m.extent
}

func (m *Map) find(n *node.Node) Extent {
	e := Extent{int(n.Start), int(n.Start), int(n.End), -1}
	if !sharesStart(n) {
		e.Content = min(m.behindProperties(e.Start), e.End)
	}
	if in, index := m.parent(n); in != nil {
		e.Lead = m.lead(in, index)
	}
	return e
}

// Anchor returns the name of a node's anchor, and the offset behind it, or nothing.
func (m *Map) Anchor(n *node.Node) (name string, end int) {
	if !n.HasAnchor() {
		return "", 0
	}
	at := int(n.Start)
	for m.text[at] == '!' {
		at = lex.SkipSpace(m.text, lex.WordEnd(m.text, at, false))
	}
	end = lex.NameEnd(m.text, at+1)
	return string(m.text[at+1 : end]), end
}

// ChildStart returns the offset of the key, its question mark or the dash with which a child of a block collection begins, by its
// index in Content.
func (m *Map) ChildStart(in *node.Node, index int) int {
	if index > 0 {
		return lex.SkipSpace(m.text, int(in.Content[index-1].End))
	}
	if sharesStart(in) {
		return int(in.Start)
	}
	return m.behindProperties(int(in.Start))
}

// lead returns the dash or the colon before a child of a collection, or -1.
func (m *Map) lead(in *node.Node, index int) int {
	switch {
	case in.Kind == node.SequenceNode && in.Style&node.FlowStyle == 0:
		return m.ChildStart(in, index)
	case in.Kind == node.MappingNode && index%2 == 1:
		if at := lex.SkipSpace(m.text, int(in.Content[index-1].End)); at < len(m.text) && m.text[at] == ':' {
			return at
		}
	}
	return -1
}

// parent returns the collection that a node is in, and its index there.
func (m *Map) parent(n *node.Node) (in *node.Node, index int) {
	for in = m.document; in != nil && in.Kind != node.AliasNode; {
		behind := sort.Search(len(in.Content), func(i int) bool { return in.Content[i].Start > n.Start })
		for i := behind - 1; i >= 0 && in.Content[i].Start == n.Start; i-- {
			if in.Content[i] == n {
				return in, i
			}
		}
		if behind == 0 {
			return nil, 0
		}
		in = in.Content[behind-1]
	}
	return nil, 0
}

// sharesStart reports whether a mapping begins where its first key does, so that a tag or an anchor there is the key's.
func sharesStart(n *node.Node) bool {
	return n.Kind == node.MappingNode && len(n.Content) > 0 && n.Start == n.Content[0].Start
}

// behindProperties returns the offset behind the anchor and the tag that a node may begin with.
func (m *Map) behindProperties(at int) int {
	for at < len(m.text) && (m.text[at] == '&' || m.text[at] == '!') {
		end := lex.WordEnd(m.text, at, true)
		if m.text[at] == '&' {
			end = lex.NameEnd(m.text, at+1)
		}
		at = lex.SkipSpace(m.text, end)
	}
	return at
}
