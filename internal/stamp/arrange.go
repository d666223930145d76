package stamp

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/pod"
)

// Places is what the config says about the places of new entries, where a list does not show it.
type Places struct {
	// Front has what belongs in front of the app's entries. It counts in a list without any.
	Front map[Thing]bool
	// Beside has what is placed next to an entry of an injector that took no part, or next to such an entry: true for before it. It is put
	// there once, and stays where it is then.
	Beside map[Thing]bool
}

// arranged is a wanted entry of a list.
type arranged struct {
	Thing
	node       *yaml.Node
	now        int  // its index in the present list, or -1
	gap        int  // how many entries of the app are before it
	isMine     bool // whether an injector that took part puts it in
	isOther    bool // whether an injector that took no part put it in
	isBeside   bool // whether it is placed next to an entry of such an injector
	goesBefore bool // whether that is before it
	isGone     bool // whether it is only in the present list, where it keeps a place for a new entry
	stays      bool // whether it is in the present list, in the same gap
	slot       int  // the index in the present list that it is sorted by

	prev, next *arranged // its neighbours in the resulting order
}

// arrange returns the wanted entries of a list in the order that the list gets. That is the wanted order, except that entries of
// injectors that took no part stay where they are. The entries of the app divide the list into gaps. In each gap, the places of the
// injectors' entries that are there already are filled in the wanted order.
func (r rebaser) arrange(path string, present, wanted []*yaml.Node) []*arranged {
	all := r.arranged(path, present, wanted)
	var gone []*arranged
	switch _, _, isJoined := asJoined(path); {
	case isJoined:
		r.settleParts(all)
	case slices.ContainsFunc(all, func(e *arranged) bool { return e.isOther }):
		gone = r.settleGaps(path, present, all)
	default:
		return all
	}
	swapSlots(all)
	kept := append(slices.DeleteFunc(slices.Clone(all), func(e *arranged) bool { return !e.stays }), gone...)
	slices.SortStableFunc(kept, func(a, b *arranged) int { return a.slot - b.slot })
	front := &arranged{slot: -1}
	last := front
	for _, e := range kept {
		e.insertBehind(last)
		last = e
	}
	insertNew(front, all, gone)
	var ordered []*arranged
	for e := front.next; e != nil; e = e.next {
		if !e.isGone {
			ordered = append(ordered, e)
		}
	}
	return ordered
}

// arranged returns the wanted entries of a list in the order in which they are wanted.
func (r rebaser) arranged(path string, present, wanted []*yaml.Node) []*arranged {
	now := matchAnywhere(path, present, wanted)
	all := make([]*arranged, len(wanted))
	apps := 0
	for i, entry := range wanted {
		e := &arranged{Thing: Thing{path, KeyOf(path, entry)}, node: entry, now: now[i], slot: now[i], gap: apps}
		e.isMine = r.isNew[e.Thing]
		e.isOther = !e.isMine && r.others[e.Thing]
		e.goesBefore, e.isBeside = r.beside[e.Thing]
		if !e.isMine && !e.isOther {
			apps++
		}
		all[i] = e
	}
	return all
}

// settleParts is settleGaps for the parts of a value. They stay where they are, because what a person adds to the value belongs there as
// well.
func (r rebaser) settleParts(all []*arranged) {
	for _, e := range all {
		if e.gap = 1; r.front[e.Thing] {
			e.gap = 0
		}
		e.stays = e.now >= 0 && (!e.isMine || r.old[e.Thing])
	}
}

// settleGaps finds out which entries stay in their gaps, and returns the places in the present list that others leave.
func (r rebaser) settleGaps(path string, present []*yaml.Node, all []*arranged) (gone []*arranged) {
	gaps := r.gapsIn(path, present, all)
	stays := make([]bool, len(present))
	for _, e := range all {
		wasMine := e.now >= 0 && r.old[e.Thing]
		if e.isBeside && wasMine {
			e.gap = gaps[e.now]
		}
		if e.stays = e.now >= 0 && (!e.isMine || wasMine && e.gap == gaps[e.now]); e.stays {
			stays[e.now] = true
		}
	}
	for i, entry := range present {
		if at := (Thing{path, KeyOf(path, entry)}); !stays[i] && r.old[at] {
			gone = append(gone, &arranged{Thing: at, isGone: true, slot: i, gap: gaps[i]})
		}
	}
	return gone
}

// gapsIn returns the gaps of the places in a present list. If the app has no entries there, it has two of them: in front, up to the last
// entry of these injectors that belongs there, or else the native sidecars of others at its beginning; and the rest.
func (r rebaser) gapsIn(path string, present []*yaml.Node, all []*arranged) []int {
	gaps := make([]int, len(present))
	apps, border := 0, 0
	for _, e := range all {
		switch {
		case e.isOther:
		case !e.isMine:
			apps++
			if e.now >= 0 && e.now+1 < len(gaps) {
				gaps[e.now+1] = apps
			}
		case r.front[e.Thing] && r.old[e.Thing] && !e.isBeside:
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
		isFront := func(entry *yaml.Node) bool {
			return pod.IsNative(last(path), entry) && !r.isNew[Thing{path, KeyOf(path, entry)}]
		}
		for border < len(present) && isFront(present[border]) {
			border++
		}
	}
	for i := border; i < len(gaps); i++ {
		gaps[i] = 1
	}
	for _, e := range all {
		if e.isMine && !r.front[e.Thing] {
			e.gap = 1
		}
	}
	return gaps
}

// swapSlots gives the injectors' own entries that stay in the same gap the order of the config.
func swapSlots(all []*arranged) {
	moves := func(e *arranged) bool { return e.isMine && e.stays && !e.isBeside }
	slots := map[int][]int{} // by gap
	for _, e := range all {
		if moves(e) {
			slots[e.gap] = append(slots[e.gap], e.slot)
		}
	}
	for _, indexes := range slots {
		slices.Sort(indexes)
	}
	for _, e := range all {
		if moves(e) {
			e.slot, slots[e.gap] = slots[e.gap][0], slots[e.gap][1:]
		}
	}
}

// insertNew inserts the entries that do not stay into the order behind front, given the places that others leave.
func insertNew(front *arranged, all, gone []*arranged) {
	left := map[int][]*arranged{} // by gap
	for _, e := range gone {
		left[e.gap] = append(left[e.gap], e)
	}
	followers := followersOf(all)
	previous := front  // the entry before it in the wanted order
	var mine *arranged // the last one of the injectors that took part, unless it is beside one of another
	for i, e := range all {
		switch {
		case e.stays:
		case !e.isMine:
			e.insertBehind(previous)
		case e.isBeside:
			e.insertBehind(beside(all[i:], previous))
		default:
			e.insertInGap(mine, followers[i], previous, left)
		}
		if previous = e; e.isMine && !e.isBeside {
			mine = e
		}
	}
}

// followersOf returns for each entry the next one of the injectors that took part that stays, or nil.
func followersOf(all []*arranged) []*arranged {
	followers := make([]*arranged, len(all))
	var next *arranged
	for i, e := range slices.Backward(all) {
		followers[i] = next
		if e.isMine && e.stays && !e.isBeside {
			next = e
		}
	}
	return followers
}

// beside returns the entry that a new one goes behind, which is the first of the rest, to be next to one of another injector.
func beside(rest []*arranged, previous *arranged) *arranged {
	if rest[0].goesBefore {
		for _, e := range rest[1:] {
			if e.isOther {
				return e.prev
			}
		}
	}
	return previous
}

// insertInGap inserts a new entry between two of the injectors that took part, which may be missing: where another entry leaves, behind
// the one before it, in front of the one behind it, or where the config puts it if there were no other injectors.
func (e *arranged) insertInGap(before, behind, previous *arranged, left map[int][]*arranged) {
	for places := left[e.gap]; len(places) > 0; places = left[e.gap] {
		place := places[0]
		if behind != nil && place.slot > behind.slot {
			break
		}
		left[e.gap] = places[1:]
		if before == nil || place.slot > before.slot {
			e.insertBehind(place)
			return
		}
	}
	switch {
	case before != nil && before.gap == e.gap:
		e.insertBehind(before)
	case behind != nil && (behind.gap == e.gap || e.gap == 0 && !previous.isBefore(behind)):
		e.insertBehind(behind.prev)
	case previous.isMine: // of another gap, in a list without entries of the app
		for previous.next != nil {
			previous = previous.next
		}
		e.insertBehind(previous)
	default:
		e.insertBehind(previous)
	}
}

// isBefore reports whether an entry is before another in the resulting order.
func (e *arranged) isBefore(other *arranged) bool {
	for ; e != nil; e = e.next {
		if e == other {
			return true
		}
	}
	return false
}

func (e *arranged) insertBehind(at *arranged) {
	if !e.stays && !e.isGone {
		e.slot = at.slot
	}
	e.prev, e.next = at, at.next
	if at.next != nil {
		at.next.prev = e
	}
	at.next = e
}
