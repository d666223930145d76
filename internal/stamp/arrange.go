package stamp

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// arranged are the wanted entries in the order that the list gets, with the index that each has
// now, or -1. What stays is in the order of now; where the config gives an injector's own entries
// another order, they change places among themselves. What is new goes next to its neighbours.
func (r rebaser) arranged(path string, p, w []*yaml.Node) (entries []*yaml.Node, origin []int) {
	list := last(path)
	now := pairAnywhere(list, p, w)
	if r.insideMine(path) {
		return slices.Clone(w), now // the config gives them their order
	}
	stays := make([]bool, len(w))
	gaps, free := r.gaps(path, w)
	slots := map[int][]int{} // of the injectors' own entries that stay, by their gap: indexes of now
	var kept []int           // indexes of w, in the order of now
	for i, entry := range w {
		if now[i] < 0 {
			continue
		}
		mine, settled := r.place(path, KeyOf(list, node.Resolve(entry)))
		if mine && !settled {
			continue
		}
		stays[i] = true
		kept = append(kept, i)
		if mine {
			slots[gaps[i]] = append(slots[gaps[i]], now[i])
		}
	}
	slot := slices.Clone(now)
	for _, indexes := range slots {
		slices.Sort(indexes)
	}
	for i, entry := range w { // in the config's order into the slots
		if gap := gaps[i]; stays[i] && r.mine(path, entry) {
			slot[i], slots[gap] = slots[gap][0], slots[gap][1:]
		}
	}
	slices.SortStableFunc(kept, func(a, b int) int { return slot[a] - slot[b] })
	left := r.left(path, p, kept, now)
	order := arrangement{r, path, w, gaps, free, stays, slot, left}.insertNew(kept)
	for _, i := range order {
		entries, origin = append(entries, w[i]), append(origin, now[i])
	}
	return entries, origin
}

// gaps are where the wanted entries stand among the app's: the number of those in front of each. Free are
// those of injectors that did not take part.
func (r rebaser) gaps(path string, w []*yaml.Node) (gaps []int, free []bool) {
	gaps, free = make([]int, len(w)), make([]bool, len(w))
	apps := 0
	for i, entry := range w {
		gaps[i] = apps
		mine := r.mine(path, entry)
		free[i] = !mine && r.theirs.adds(path, KeyOf(last(path), node.Resolve(entry)))
		if !mine && !free[i] {
			apps++
		}
	}
	return gaps, free
}

// place tells whether an entry is an injector's, and whether it was given the same place before. Which of several places
// an entry got is not known: the injectors may have run in another order.
func (r rebaser) place(path, key string) (mine, settled bool) {
	now, mine := r.now[path][key]
	old, was := r.old[path][key]
	return mine, was && !old.disputed && old.place == now.place
}

// left are the indexes of the entries that injectors had put in and that do not stay, by their places.
func (r rebaser) left(path string, p []*yaml.Node, kept, now []int) map[given][]int {
	stays := make([]bool, len(p))
	for _, i := range kept {
		stays[now[i]] = true
	}
	left := map[given][]int{}
	for i, entry := range p {
		if old, was := r.old[path][KeyOf(last(path), node.Resolve(entry))]; was && !stays[i] {
			left[old] = append(left[old], i)
		}
	}
	return left
}

// arrangement is the wanted entries of a list on their way into an order.
type arrangement struct {
	rebaser

	path  string
	w     []*yaml.Node
	gaps  []int           // of each
	free  []bool          // whether it is of an injector that did not take part
	stays []bool          // whether it is there and stays
	slot  []int           // the index that it has now if it stays
	left  map[given][]int // the indexes of what goes out
}

// insertNew inserts the entries that do not stay. It goes through the list once: where an entry goes is looked for only
// behind the one before it.
func (a arrangement) insertNew(order []int) []int {
	c := newChain(len(a.w), order)
	fixed := -1 // the last entry that is of the app or of an injector that took part
	for i, entry := range a.w {
		if !a.stays[i] {
			behind := i - 1
			if a.mine(a.path, entry) {
				behind = a.predecessor(c, i, fixed)
			}
			c.insertBehind(behind, i)
		}
		if !a.free[i] {
			fixed = i
		}
	}
	return c.all()
}

// predecessor is the entry that a new entry of an injector goes behind. It goes to where another of its place was that goes
// out, so that the order among injectors stays; otherwise behind the entry that it follows, or before the one of the same gap
// that follows it, if that is of their own injectors.
func (a arrangement) predecessor(c *chain, i, fixed int) int {
	to := a.now[a.path][KeyOf(last(a.path), node.Resolve(a.w[i]))]
	if left := a.left[to]; len(left) > 0 {
		a.left[to] = left[1:]
		behind := fixed
		for next := c.after(behind); next >= 0 && a.free[next] && a.slot[next] <= left[0]; next = c.after(behind) {
			behind = next
		}
		return behind
	}
	if i > 0 && a.mine(a.path, a.w[i-1]) && a.gaps[i-1] == a.gaps[i] {
		return i - 1
	}
	for next := i + 1; next < len(a.w) && a.gaps[next] == a.gaps[i] && a.mine(a.path, a.w[next]); next++ {
		if a.stays[next] {
			return c.before(next)
		}
	}
	return i - 1
}

// pairAnywhere finds for each wanted entry the present one: itself, or the one of its key.
func pairAnywhere(list string, p, w []*yaml.Node) []int {
	now := make([]int, len(w))
	left := newIndex(p)
	for i, entry := range w {
		now[i] = left.find(entry)
	}
	for i, entry := range w {
		if now[i] < 0 && !isRestored(entry) { // which goes where it was, wherever its key is now
			now[i] = left.findKey(list, entry)
		}
	}
	return now
}
