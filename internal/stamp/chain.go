package stamp

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

func (c *chain) after(at int) int { return c.next[at+1] }

func (c *chain) before(at int) int { return c.prev[at+1] }

func (c *chain) all() []int {
	var all []int
	for i := c.next[0]; i >= 0; i = c.next[i+1] {
		all = append(all, i)
	}
	return all
}
