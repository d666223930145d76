package parse

import (
	"sync"

	"go.yaml.in/yaml/v3"
)

// Arena lends the memory of nodes to one document after another, because most of the time of reading goes into allocating
// nodes. A document that was read with an arena is valid until the arena is returned; the strings in it stay valid.
type Arena struct {
	nodes    chunks[yaml.Node]
	children chunks[*yaml.Node]
	pending  []*yaml.Node
}

var arenas = sync.Pool{New: func() any { return new(Arena) }}

// Borrow returns an arena that is not in use.
func Borrow() *Arena { return arenas.Get().(*Arena) }

// Return gives the arena back. Nodes that were read with it must not be used any more.
func (a *Arena) Return() {
	a.nodes.reset()
	a.children.reset()
	clear(a.pending[:cap(a.pending)])
	arenas.Put(a)
}

// chunks are pieces of memory that are reused.
type chunks[T any] struct {
	all  [][]T
	next int
	// last is how much of the last chunk was used; those before it are full or nearly so.
	last int
}

// mostChunks is how many chunks are kept, so that the memory of one huge document is freed.
const mostChunks = 64

// more returns an empty chunk with room for at least n.
func (c *chunks[T]) more(n int) []T {
	for ; c.next < len(c.all); c.next++ {
		if chunk := c.all[c.next]; cap(chunk) >= n {
			c.next++
			return chunk[:0]
		}
	}
	chunk := make([]T, 0, max(n, mostNodes))
	c.all = append(c.all, chunk)
	c.next = len(c.all)
	return chunk
}

func (c *chunks[T]) reset() {
	for i, chunk := range c.all[:c.next] {
		if i == c.next-1 && c.last > 0 {
			clear(chunk[:c.last])
		} else {
			clear(chunk[:cap(chunk)])
		}
	}
	if len(c.all) > mostChunks {
		clear(c.all[mostChunks:])
		c.all = c.all[:mostChunks]
	}
	c.next, c.last = 0, 0
}
