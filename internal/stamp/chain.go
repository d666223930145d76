package stamp

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/node"
)

// insertNew brings the entries that do not stay in between: behind the entry that they follow,
// or before the one of the same place that follows them, where that is their own injectors'.
func (r rebaser) insertNew(path string, w []*yaml.Node, order []int, stays []bool) []int {
	places, own := make([]string, len(w)), make([]bool, len(w))
	for i, entry := range w {
		places[i], own[i], _ = r.place(path, KeyOf(last(path), node.Resolve(entry)))
	}
	c := newChain(len(w), order)
	for i := range w {
		switch {
		case stays[i]:
		case own[i] && (i == 0 || !own[i-1] || places[i-1] != places[i]):
			next := i + 1
			for next < len(w) && own[next] && places[next] == places[i] && !stays[next] {
				next++
			}
			if next < len(w) && own[next] && places[next] == places[i] {
				c.insertBefore(next, i)
				continue
			}
			c.insertBehind(i-1, i)
		default:
			c.insertBehind(i-1, i)
		}
	}
	return c.all()
}

// chain is an order of numbers from 0 on, into which others are put in one step each. In front of the first is -1.
type chain struct{ next, prev []int }

// newChain is the chain of some numbers below a count, in their order.
func newChain(count int, order []int) *chain {
	c := &chain{next: make([]int, count+1), prev: make([]int, count+1)}
	behind := -1
	for _, i := range order {
		c.link(behind, i)
		behind = i
	}
	c.link(behind, -1)
	return c
}

func (c *chain) link(a, b int) { c.next[a+1], c.prev[b+1] = b, a }

func (c *chain) insertBehind(at, i int) {
	next := c.next[at+1]
	c.link(at, i)
	c.link(i, next)
}

func (c *chain) insertBefore(at, i int) { c.insertBehind(c.prev[at+1], i) }

func (c *chain) all() []int {
	var all []int
	for i := c.next[0]; i >= 0; i = c.next[i+1] {
		all = append(all, i)
	}
	return all
}
