package read

import (
	"sync"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// Arena lends the memory of nodes to one document after another, because reading spends most of its time on allocating
// nodes. A document that was read with an arena is valid until the arena is returned; the strings in it stay valid.
type Arena struct {
	// reader is the last one that used the arena. The next one takes over its memory.
	reader reader
}

// idle keeps arenas that are not in use. They refer to the texts that were read with them until garbage is collected,
// because clearing them would take longer than reading does.
var idle = sync.Pool{New: func() any { return new(Arena) }}

// Borrow returns an arena that is not in use.
func Borrow() *Arena { return idle.Get().(*Arena) }

// Reset ends the use of all nodes that were read with the arena.
func (a *Arena) Reset() {
	a.reader.nodes.reset()
	a.reader.children.reset()
	if cap(a.reader.built) > mostBuilt {
		a.reader.built = nil
	}
}

// Return gives the arena back. Nodes that were read with it must not be used any more.
func (a *Arena) Return() {
	a.Reset()
	idle.Put(a)
}

const (
	// mostBuilt is the largest buffer that is kept, so that the memory of one huge value is freed.
	mostBuilt = 1 << 16
	// fewNodes keeps an allocation below the size from which Go treats it as a large one, and mostNodes bounds what is
	// kept.
	fewNodes, mostNodes = 560, 1 << 13
	// bytesPerNode is a little more than the bytes that a node takes in most texts.
	bytesPerNode = 14
)

// memory is a piece of memory that is reused. When it is full, a larger one takes its place.
type memory[T any] struct {
	all  []T
	used int
}

// take returns room for a number of values, which still has what it was used for before. Size is that of the text that
// is still to be read.
func (m *memory[T]) take(n, size int) []T {
	if m.used+n > len(m.all) {
		m.all, m.used = make([]T, max(n, min(size/bytesPerNode+4, fewNodes), min(2*len(m.all), mostNodes))), 0
	}
	m.used += n
	return m.all[m.used-n : m.used : m.used]
}

// reset ends the use of all values, and frees what is too large to be kept.
func (m *memory[T]) reset() {
	if m.used = 0; len(m.all) > mostNodes {
		m.all = nil
	}
}

// node returns a node. It was used before, so all of its fields are set.
func (r *reader) node(kind node.Kind, style node.Style, tag node.Tag, start, end int, value string) *node.Node {
	n := &r.nodes.take(1, len(r.text)-r.at)[0]
	n.Kind, n.Style, n.Tag, n.IsAnchored, n.IsApproximate = kind, style, tag, false, false
	n.Start, n.End = int32(start), int32(end)
	n.Value, n.Content = value, nil
	return n
}

// leaf returns a plain scalar, as most nodes are.
func (r *reader) leaf(start, end int) *node.Node {
	value := r.text[start:end]
	return r.node(node.ScalarNode, 0, node.PlainTag(value), start, end, value)
}

// add adds a child to the collection that is being read.
func (r *reader) add(child *node.Node) { r.pending = append(r.pending, child) }

// collection returns a collection of the children since the mark. Its list has no spare capacity, so that appending to
// it does not write into the next one.
func (r *reader) collection(kind node.Kind, style node.Style, start, end, mark int) *node.Node {
	n := r.node(kind, style, collectionTags[kind], start, end, "")
	if own := r.pending[mark:]; len(own) > 0 {
		n.Content = r.children.take(len(own), len(r.text)-r.at)
		copy(n.Content, own)
		r.pending = r.pending[:mark]
	}
	return n
}

// wrapped returns a collection of one node.
func (r *reader) wrapped(kind node.Kind, start, end int, n *node.Node) *node.Node {
	mark := len(r.pending)
	r.add(n)
	return r.collection(kind, 0, start, end, mark)
}
