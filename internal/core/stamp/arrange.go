package stamp

import (
	"slices"

	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Positions is what the config says about the positions of new entries, where a list does not show it.
type Positions struct {
	// Front has what belongs in front of the app's entries. It counts in a list without any.
	Front map[Address]bool
	// Beside has what is placed next to an entry of an injector that took no part, or next to such an entry: true for
	// before it. It is put there once, and stays where it is then.
	Beside map[Address]bool
}

// arranged is a wanted entry of a list.
type arranged struct {
	Address
	node       *node.Node
	now        int  // its index in the present list, or -1
	gap        int  // how many entries of the app are before it
	isMine     bool // whether an injector that took part puts it in
	isOther    bool // whether an injector that took no part put it in
	isBeside   bool // whether it is placed next to an entry of such an injector
	goesBefore bool // whether that is before it
	stays      bool // whether it is in the present list, in the same gap
	rank       int  // how many entries that do not move are before it
}

// arrange returns the wanted entries of a list in the order that the list gets. That is the wanted order, except that
// entries of injectors that took no part stay where they are. The entries of the app divide the list into gaps. In each
// gap, the positions of the injectors' entries that are there already are filled in the wanted order.
func (r rebaser) arrange(path string, present, wanted []*node.Node) []*arranged {
	all := r.arranged(path, present, wanted)
	var left map[int][]int
	switch {
	case pod.At(path).AnyOrder && !isInOrder(all):
		r.settleAnywhere(all)
	case slices.ContainsFunc(all, func(e *arranged) bool { return e.isOther }):
		left = r.settleGaps(path, present, all)
	default:
		return all
	}
	fixed, ranks := fixedIn(all, len(present))
	mine := ranked(all, ranks, left)
	ordered := make([]*arranged, 0, len(all))
	for i := range len(fixed) + 1 {
		for len(mine) > 0 && mine[0].rank == i {
			ordered = append(ordered, mine[0])
			mine = mine[1:]
		}
		ordered = append(ordered, fixed[i:min(i+1, len(fixed))]...)
	}
	for i, e := range all {
		if e.isMine && e.isBeside && !e.stays {
			ordered = slices.Insert(ordered, indexBeside(ordered, all, i), e)
		}
	}
	return ordered
}

// arranged returns the wanted entries of a list in the order in which they are wanted.
func (r rebaser) arranged(path string, present, wanted []*node.Node) []*arranged {
	now := matchAnywhere(path, present, wanted)
	all := make([]*arranged, len(wanted))
	apps := 0
	for i, entry := range wanted {
		e := &arranged{Address: Address{path, KeyOf(path, entry)}, node: entry, now: now[i], gap: apps}
		e.isMine = r.isNew[e.Address]
		e.isOther = !e.isMine && r.others[e.Address]
		e.goesBefore, e.isBeside = r.beside[e.Address]
		if !e.isMine && !e.isOther {
			apps++
		}
		all[i] = e
	}
	return all
}

// fixedIn returns the entries that do not move: those of the app and of injectors that took no part, and what was put
// beside these. It also returns how many of them are before each index of the present list.
func fixedIn(all []*arranged, count int) (fixed []*arranged, ranks []int) {
	for _, e := range all {
		if !e.isMine {
			fixed = append(fixed, e)
		}
	}
	ranks = ranksIn(fixed, count)
	for _, e := range all {
		if e.isMine && e.isBeside && e.stays { // few are
			fixed = slices.Insert(fixed, ranks[e.now], e)
			ranks = ranksIn(fixed, count)
		}
	}
	return fixed, ranks
}

// ranksIn numbers entries that do not move, and returns how many of them are before each index of the present list.
func ranksIn(fixed []*arranged, count int) []int {
	ranks := make([]int, count+1)
	for i, e := range fixed {
		e.rank = i
		ranks[e.now+1] = i + 1
	}
	ranks[0] = 0
	for i := range count {
		ranks[i+1] = max(ranks[i], ranks[i+1])
	}
	return ranks
}

// ranked returns the entries of the injectors that took part by their ranks. Those that stay in a gap share their ranks
// in the order of the config. A new one goes where another one leaves its gap, behind the one before it there, in front
// of the one behind it, or where the config puts it if there were no other injectors.
func ranked(all []*arranged, ranks []int, left map[int][]int) []*arranged {
	var mine []*arranged
	staying := map[int][]int{} // the ranks of those that stay, by gap
	rank := 0
	for _, e := range all {
		switch {
		case !e.isMine:
			rank = e.rank + 1
			continue
		case e.isBeside:
			continue
		case e.stays:
			staying[e.gap] = append(staying[e.gap], ranks[e.now])
		default:
			e.rank = rank
		}
		mine = append(mine, e)
	}
	for _, all := range staying {
		slices.Sort(all)
	}
	for _, e := range mine {
		if e.stays {
			e.rank = staying[e.gap][0]
			staying[e.gap] = staying[e.gap][1:]
		}
	}
	next := &arranged{gap: -1, rank: len(all)}
	followers := make([]*arranged, len(mine)) // the next ones that stay
	for i, e := range slices.Backward(mine) {
		if followers[i] = next; e.stays {
			next = e
		}
	}
	last := &arranged{gap: -1}
	for i, e := range mine {
		if !e.stays {
			e.rank = e.rankBetween(last, followers[i], ranks, left)
		}
		last = e
	}
	slices.SortStableFunc(mine, func(a, b *arranged) int { return a.rank - b.rank })
	return mine
}

// rankBetween returns the rank of a new entry between the one before it and the next one that stays, given the positions
// that others leave.
func (e *arranged) rankBetween(last, next *arranged, ranks []int, left map[int][]int) int {
	for free := left[e.gap]; len(free) > 0 && ranks[free[0]] <= next.rank; {
		rank := ranks[free[0]]
		free = free[1:]
		if left[e.gap] = free; rank >= last.rank {
			return rank
		}
	}
	switch e.gap {
	case last.gap:
		return last.rank
	case next.gap:
		return next.rank
	default:
		return max(last.rank, min(e.rank, next.rank))
	}
}

// indexBeside returns where a new entry, which has an index among all, goes in the order to be next to one of another
// injector.
func indexBeside(ordered, all []*arranged, i int) int {
	if all[i].goesBefore {
		for _, e := range all[i+1:] {
			if e.isOther {
				return slices.Index(ordered, e)
			}
		}
	}
	if i == 0 {
		return 0
	}
	return slices.Index(ordered, all[i-1]) + 1
}

// isInOrder reports whether the present list has the wanted order.
func isInOrder(all []*arranged) bool {
	last := -1
	for _, e := range all {
		if e.now >= 0 && e.now < last {
			return false
		}
		last = max(last, e.now)
	}
	return true
}

// settleAnywhere is settleGaps for a list whose order means nothing. Entries stay among those of the app, where
// kustomize puts them.
func (r rebaser) settleAnywhere(all []*arranged) {
	for _, e := range all {
		e.gap = 0
		e.stays = e.now >= 0 && (!e.isMine || r.old[e.Address])
	}
}

// settleGaps finds out which entries stay in their gaps. It returns the indexes in the present list that others leave,
// by gap.
func (r rebaser) settleGaps(path string, present []*node.Node, all []*arranged) (left map[int][]int) {
	gaps := r.gapsIn(path, present, all)
	stays := make([]bool, len(present))
	for _, e := range all {
		wasMine := e.now >= 0 && r.old[e.Address]
		if e.isBeside && wasMine {
			e.gap = gaps[e.now]
		}
		if e.stays = e.now >= 0 && (!e.isMine || wasMine && e.gap == gaps[e.now]); e.stays {
			stays[e.now] = true
		}
	}
	left = map[int][]int{}
	for i, entry := range present {
		if !stays[i] && r.old[Address{path, KeyOf(path, entry)}] {
			left[gaps[i]] = append(left[gaps[i]], i)
		}
	}
	return left
}

// gapsIn returns the gaps of the positions in a present list. If the app has no entries there, it has two of them: in
// front, up to the last entry of these injectors that belongs there, or else the native sidecars of others at its
// beginning; and the rest.
func (r rebaser) gapsIn(path string, present []*node.Node, all []*arranged) []int {
	gaps := make([]int, len(present))
	apps := 0
	border := 0
	for _, e := range all {
		switch {
		case e.isOther:
		case !e.isMine:
			apps++
			if e.now >= 0 && e.now+1 < len(gaps) {
				gaps[e.now+1] = apps
			}
		case r.front[e.Address] && r.old[e.Address] && !e.isBeside:
			border = max(border, e.now+1)
		}
	}
	for i := 1; i < len(gaps); i++ {
		gaps[i] = max(gaps[i], gaps[i-1])
	}
	if apps > 0 {
		return gaps
	}
	if border == 0 {
		isFront := func(entry *node.Node) bool {
			return pod.IsNative(last(path), entry) && !r.isNew[Address{path, KeyOf(path, entry)}]
		}
		for border < len(present) && isFront(present[border]) {
			border++
		}
	}
	for i := border; i < len(gaps); i++ {
		gaps[i] = 1
	}
	for _, e := range all {
		if e.isMine && !r.front[e.Address] {
			e.gap = 1
		}
	}
	return gaps
}
