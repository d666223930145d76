package parse

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// slab hands out nodes and lists of children from a few large allocations.
type slab struct {
	nodes    []yaml.Node
	children []*yaml.Node
	// pending are the children of the collections that are being read, inner ones last.
	pending []*yaml.Node
}

const (
	// mostNodes keeps an allocation below the size from which Go treats it as a large one.
	mostNodes = 200
	// moreNodes is how many are made when the estimate was too low.
	moreNodes = 32
)

// expect makes room for the nodes of a text. Two and a little more on a line are usual, and
// one behind each comma in brackets; the lines of block scalars hold none.
func (s *slab) expect(text []byte) {
	lines, commas := bytes.Count(text, []byte{'\n'}), bytes.Count(text, []byte{','})
	nodes := min(2*lines+lines/2+2*commas+8, mostNodes)
	s.nodes = make([]yaml.Node, 0, nodes)
	s.children = make([]*yaml.Node, 0, nodes)
}

// node is a new node on the current line of the reader.
func (r *reader) node(kind yaml.Kind, tag string, at int) *yaml.Node {
	if len(r.nodes) == cap(r.nodes) {
		r.nodes = make([]yaml.Node, 0, moreNodes)
	}
	r.nodes = r.nodes[:len(r.nodes)+1]
	n := &r.nodes[len(r.nodes)-1]
	n.Kind, n.Tag = kind, tag
	n.Line, n.Column = r.line, r.columnOf(at)
	return n
}

// open begins the children of a collection; what is added until close belongs to it.
func (s *slab) open() (mark int) { return len(s.pending) }

func (s *slab) add(child *yaml.Node) { s.pending = append(s.pending, child) }

// close ends the children of a collection. The list has no room behind it, so that one who
// appends to it gets a list of their own instead of writing into the next one.
func (s *slab) close(mark int) []*yaml.Node {
	own := s.pending[mark:]
	if len(own) == 0 {
		return nil
	}
	if cap(s.children)-len(s.children) < len(own) {
		s.children = make([]*yaml.Node, 0, max(len(own), moreNodes))
	}
	start := len(s.children)
	s.children = append(s.children, own...)
	s.pending = s.pending[:mark]
	return s.children[start:len(s.children):len(s.children)]
}
