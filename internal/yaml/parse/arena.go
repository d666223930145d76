package parse

import (
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// Arena lends the memory of nodes to one document after another, because reading spends most of its time on allocating nodes.
// A document that was read with an arena is valid until the arena is returned; the strings in it stay valid, see Document.
type Arena struct {
	nodes    chunks[yaml.Node]
	children chunks[*yaml.Node]
	// pending has room for the children of the collections that most documents have open at once.
	pending [64]*yaml.Node
	// built is the buffer of the last value that was built.
	built []byte
	// origin is the last document that the fast reader has read.
	origin origin
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

// Return gives the arena back. Nodes that were read with it must not be used any more.
func (a *Arena) Return() {
	a.nodes.reset()
	a.children.reset()
	a.origin = origin{}
	if cap(a.built) > mostBuilt {
		a.built = nil
	}
	if a.pool != nil {
		a.pool.idle.Put(a)
	}
}

// chunks are pieces of memory that are reused. Nodes are large, and filling fresh memory takes time, so a few large chunks with
// hardly more room than needed are fastest.
type chunks[T any] struct {
	all  [][]T
	next int // the index of the first chunk in all that is not in use
	last []T // the last chunk that is in use, up to where it is filled
}

// mostBuilt is the largest buffer that is kept, for the same reason as mostChunks.
const mostBuilt = 1 << 16

// mostChunks is how many chunks are kept, so that the memory of one huge document is freed.
const mostChunks = 64

// grow begins a chunk with room for at least n. A new one gets room for as many as are expected.
func (c *chunks[T]) grow(n, expected int) {
	for ; c.next < len(c.all); c.next++ {
		if chunk := c.all[c.next]; cap(chunk) >= n {
			c.next++
			c.last = chunk[:0]
			return
		}
	}
	c.last = make([]T, 0, max(n, expected))
	c.all = append(c.all, c.last)
	c.next = len(c.all)
}

// reset ends the use of all chunks. They keep what they hold until it is overwritten.
func (c *chunks[T]) reset() {
	if len(c.all) > mostChunks {
		clear(c.all[mostChunks:])
		c.all = c.all[:mostChunks]
	}
	c.next, c.last = 0, nil
}

const (
	// mostNodes keeps an allocation below the size from which Go treats it as a large one.
	mostNodes = 200
	// fewestNodes fill 4 KB.
	fewestNodes = 26
	// sample is how many bytes are searched for nodes. They usually hold more nodes than a chunk.
	sample = 8 << 10
)

// expected estimates how many nodes to allocate for the rest of the text, rather too few than too many: a key and a value for
// each colon, and some more for entries of lists. Colons inside of values make up for the mappings and lists themselves.
func (r *reader) expected() int {
	rest := r.text[r.at:min(r.at+sample, len(r.text))]
	nodes := 2*strings.Count(rest, ":") + strings.Count(rest, ",")/4 + strings.Count(rest, "\n")/8 + 4
	return min(max(nodes, fewestNodes), mostNodes)
}

// node returns a new node on the current line. It was used before, so all of its fields are set. The reader sets no anchors, aliases
// and comments, so these are hardly ever there, and looking at them takes less time than clearing them.
func (r *reader) node(kind yaml.Kind, tag string, at int) *yaml.Node {
	nodes := &r.arena.nodes
	if len(nodes.last) == cap(nodes.last) {
		nodes.grow(1, r.expected())
	}
	nodes.last = nodes.last[:len(nodes.last)+1]
	n := &nodes.last[len(nodes.last)-1]
	if n.Alias != nil || len(n.Anchor)+len(n.HeadComment)+len(n.LineComment)+len(n.FootComment) > 0 {
		*n = yaml.Node{}
	}
	n.Kind, n.Style, n.Tag, n.Value, n.Content = kind, 0, tag, "", nil
	n.Line, n.Column = r.line, r.columnOf(at)
	return n
}

// open begins the children of a collection, which are added until close.
func (r *reader) open() (mark int) { return len(r.pending) }

func (r *reader) add(child *yaml.Node) { r.pending = append(r.pending, child) }

// close ends the children of a collection. The list has no spare capacity, so that appending to it does not write into the next one.
func (r *reader) close(mark int) []*yaml.Node {
	own := r.pending[mark:]
	if len(own) == 0 {
		return nil
	}
	children := &r.arena.children
	if cap(children.last)-len(children.last) < len(own) {
		children.grow(len(own), cap(r.arena.nodes.last))
	}
	start := len(children.last)
	children.last = append(children.last, own...)
	r.pending = r.pending[:mark]
	return children.last[start:len(children.last):len(children.last)]
}
