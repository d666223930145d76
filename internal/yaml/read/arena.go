package read

import (
	"sync"

	"pillion.dev/pillion/internal/yaml/node"
)

// Arena lends the memory of nodes to one document after another, because reading spends most of its time on allocating nodes.
// A document that was read with an arena is valid until the arena is returned; the strings in it stay valid.
type Arena struct {
	// reader is the last one that used the arena. The next one takes over its memory.
	reader reader
	// pool is where the arena goes when it is returned, or nil.
	pool *Pool
}

// Pool keeps arenas that are not in use. They refer to the texts that were read with them, because clearing them would take
// longer than reading does while garbage is collected. So a pool should not be used longer than its texts.
type Pool struct{ idle sync.Pool }

// Borrow returns an arena that is not in use.
func (p *Pool) Borrow() *Arena {
	if a, _ := p.idle.Get().(*Arena); a != nil {
		return a
	}
	return &Arena{pool: p}
}

// Borrow returns another arena of the same pool, or a new one if there is no pool or no arena.
func (a *Arena) Borrow() *Arena {
	if a == nil || a.pool == nil {
		return new(Arena)
	}
	return a.pool.Borrow()
}

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
	if a.pool != nil {
		a.pool.idle.Put(a)
	}
}

const (
	// mostBuilt is the largest buffer that is kept, so that the memory of one huge value is freed.
	mostBuilt = 1 << 16
	// mostChunks is how many chunks are kept, for the same reason.
	mostChunks = 64
	// mostNodes keeps an allocation below the size from which Go treats it as a large one.
	mostNodes = 560
	// bytesPerNode is a little more than the bytes that a node takes in most texts.
	bytesPerNode = 14
)

// chunks are pieces of memory that are reused.
type chunks[T any] struct {
	all  [][]T
	next int // the index of the first chunk in all that is not in use
	last []T // the last chunk that is in use
	used int // how much of it is
}

// grow begins a chunk with room for at least n. A new one gets room for as many as are expected.
func (c *chunks[T]) grow(n, expected int) {
	for c.last, c.used = nil, 0; len(c.last) < n; c.next++ {
		if c.next == len(c.all) {
			c.all = append(c.all, make([]T, max(n, expected)))
		}
		c.last = c.all[c.next]
	}
}

// reset ends the use of all chunks. They keep what they hold until it is overwritten.
func (c *chunks[T]) reset() {
	if len(c.all) > mostChunks {
		clear(c.all[mostChunks:])
		c.all = c.all[:mostChunks]
	}
	c.next, c.last, c.used = 0, nil, 0
}

// expected estimates how many nodes the rest of the text holds.
func (r *reader) expected() int { return min((len(r.text)-r.at)/bytesPerNode+4, mostNodes) }

// node returns a node. It was used before, so all of its fields are set.
func (r *reader) node(kind node.Kind, style node.Style, tag node.Tag, start, end int) *node.Node {
	nodes := &r.nodes
	if nodes.used == len(nodes.last) {
		nodes.grow(1, r.expected())
	}
	n := &nodes.last[nodes.used]
	nodes.used++
	n.Kind, n.Style, n.Tag, n.IsAnchored, n.IsApproximate = kind, style, tag, false, false
	n.Start, n.End = int32(start), int32(end)
	n.Value, n.Content = "", nil
	return n
}

// leaf returns a plain scalar, as most nodes are.
func (r *reader) leaf(start, end int) *node.Node {
	value := r.text[start:end]
	n := r.node(node.ScalarNode, 0, node.PlainTag(value), start, end)
	n.Value = value
	return n
}

// add adds a child to the collection that is being read.
func (r *reader) add(child *node.Node) { r.pending = append(r.pending, child) }

// close ends the children of a collection. The list has no spare capacity, so that appending to it does not write into the next one.
func (r *reader) close(mark int) []*node.Node {
	own := r.pending[mark:]
	if len(own) == 0 {
		return nil
	}
	children := &r.children
	if len(children.last)-children.used < len(own) {
		children.grow(len(own), r.expected())
	}
	end := children.used + len(own)
	list := children.last[children.used:end:end]
	children.used = end
	copy(list, own)
	r.pending = r.pending[:mark]
	return list
}
