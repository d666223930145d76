package parse

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// slab hands out nodes and lists of children from a few large allocations. Nodes are large, and most of the time goes into
// filling fresh memory, so it allocates hardly more than needed.
type slab struct {
	nodes    []yaml.Node
	children []*yaml.Node
	// pending are the children of the collections that are being read, inner ones last.
	pending []*yaml.Node
	// expected is an estimate of how many more nodes there will be.
	expected int
	// arena is where the memory comes from, if it is not nil.
	arena *Arena
}

const (
	// mostNodes keeps an allocation below the size from which Go treats it as a large one.
	mostNodes = 200
	// moreNodes is how many are allocated if the estimate was too low; they fill 4 KB.
	moreNodes = 26
	// usuallyPending is more than most documents have open at once.
	usuallyPending = 64
)

// expect estimates the nodes of a text, rather too few than too many: a key and a value for
// each colon, and some more for entries of lists. Colons inside of values make up for the
// mappings and lists themselves.
func (s *slab) expect(text []byte) {
	if s.arena != nil {
		if s.arena.pending == nil {
			s.arena.pending = make([]*yaml.Node, 0, usuallyPending)
		}
		s.pending = s.arena.pending
		return
	}
	colons, commas, lines := bytes.Count(text, []byte{':'}), bytes.Count(text, []byte{','}), bytes.Count(text, []byte{'\n'})
	s.expected = 2*colons + commas/4 + lines/8 + 4
	s.pending = make([]*yaml.Node, 0, usuallyPending)
}

// room returns how many nodes to allocate at once.
func (s *slab) room() int { return min(max(s.expected, moreNodes), mostNodes) }

// node returns a new node on the current line of the reader.
func (r *reader) node(kind yaml.Kind, tag string, at int) *yaml.Node {
	if len(r.nodes) == cap(r.nodes) {
		r.moreNodes()
	}
	r.nodes = r.nodes[:len(r.nodes)+1]
	n := &r.nodes[len(r.nodes)-1]
	n.Kind, n.Tag = kind, tag
	n.Line, n.Column = r.line, r.columnOf(at)
	return n
}

func (s *slab) moreNodes() {
	if s.arena != nil {
		s.nodes = s.arena.nodes.more(1)
		return
	}
	s.nodes = make([]yaml.Node, 0, s.room())
	s.expected -= cap(s.nodes)
}

func (s *slab) moreChildren(n int) {
	if s.arena != nil {
		s.children = s.arena.children.more(n)
		return
	}
	s.children = make([]*yaml.Node, 0, max(n, cap(s.nodes)))
}

// open begins the children of a collection, which are added until close.
func (s *slab) open() (mark int) { return len(s.pending) }

func (s *slab) add(child *yaml.Node) { s.pending = append(s.pending, child) }

// close ends the children of a collection. The list has no spare capacity, so that appending to it does not write into the next one.
func (s *slab) close(mark int) []*yaml.Node {
	own := s.pending[mark:]
	if len(own) == 0 {
		return nil
	}
	if cap(s.children)-len(s.children) < len(own) {
		s.moreChildren(len(own))
	}
	start := len(s.children)
	s.children = append(s.children, own...)
	s.pending = s.pending[:mark]
	return s.children[start:len(s.children):len(s.children)]
}
