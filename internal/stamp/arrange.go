package stamp

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// arranged is a wanted entry of a list.
type arranged struct {
	Thing
	node    *yaml.Node
	now     int  // its index in the present list, or -1
	gap     int  // how many entries of the app stand before it
	isMine  bool // whether an injector that took part puts it in
	isOther bool // whether an injector that did not take part put it in
	stays   bool // whether it is in the present list, and keeps its place there
	slot    int  // the index in the present list that it is sorted by, if it stays

	prev, next *arranged // its neighbours in the resulting order
}

// arrange returns the wanted entries of a list in the order that the list gets. What stays is in the present order, except that
// injectors' own entries change places among themselves where the config gives them another order. What is new goes next to its
// neighbours.
func (r rebaser) arrange(path string, present, wanted []*yaml.Node) []*arranged {
	all := r.arranged(path, present, wanted)
	if r.isInsideMine(path) {
		return all // the config gives them their order
	}
	swapSlots(all)
	kept := slices.DeleteFunc(slices.Clone(all), func(e *arranged) bool { return !e.stays })
	slices.SortStableFunc(kept, func(a, b *arranged) int { return a.slot - b.slot })
	front := &arranged{}
	last := front
	for _, e := range kept {
		e.insertBehind(last)
		last = e
	}
	r.insertNew(front, all, r.leaving(path, present, kept))
	var ordered []*arranged
	for e := front.next; e != nil; e = e.next {
		ordered = append(ordered, e)
	}
	return ordered
}

// isInsideMine reports whether a path leads into something that an injector puts in.
func (r rebaser) isInsideMine(path string) bool {
	for path != "" {
		at := ThingAt(path)
		if r.isMine(at) {
			return true
		}
		path = at.Path
	}
	return false
}

// arranged returns the wanted entries of a list in the order in which they are wanted.
func (r rebaser) arranged(path string, present, wanted []*yaml.Node) []*arranged {
	now := matchAnywhere(path, present, wanted)
	all := make([]*arranged, len(wanted))
	apps := 0
	for i, entry := range wanted {
		e := &arranged{Thing: Thing{path, KeyOf(path, entry)}, node: entry, now: now[i], slot: now[i], gap: apps}
		e.isMine = r.isMine(e.Thing)
		e.isOther = !e.isMine && r.others[e.Thing]
		e.stays = e.now >= 0 && (!e.isMine || r.keepsPlace(e.Thing))
		if !e.isMine && !e.isOther {
			apps++
		}
		all[i] = e
	}
	return all
}

// keepsPlace reports whether an injector's entry had the same place before. The place of an entry that several injectors gave
// different ones is not known: they may have run in another order.
func (r rebaser) keepsPlace(at Thing) bool {
	old, was := r.old[at]
	return was && !old.isDisputed && old.place == r.now[at].place
}

// swapSlots gives the injectors' own entries that stay in the same gap the order of the config.
func swapSlots(all []*arranged) {
	slots := map[int][]int{} // by gap
	for _, e := range all {
		if e.isMine && e.stays {
			slots[e.gap] = append(slots[e.gap], e.slot)
		}
	}
	for _, indexes := range slots {
		slices.Sort(indexes)
	}
	for _, e := range all {
		if e.isMine && e.stays {
			e.slot, slots[e.gap] = slots[e.gap][0], slots[e.gap][1:]
		}
	}
}

// leaving returns the present indexes of the entries that injectors had put in and that do not stay, by their places.
func (r rebaser) leaving(path string, present []*yaml.Node, kept []*arranged) map[givenPlace][]int {
	stays := make([]bool, len(present))
	for _, e := range kept {
		stays[e.now] = true
	}
	leaving := map[givenPlace][]int{}
	for i, entry := range present {
		if old, was := r.old[Thing{path, KeyOf(path, entry)}]; was && !stays[i] {
			leaving[old] = append(leaving[old], i)
		}
	}
	return leaving
}

// insertNew inserts the entries that do not stay into the order behind front. It is linear: the neighbour of an entry is searched
// for only behind the entry before it.
func (r rebaser) insertNew(front *arranged, all []*arranged, leaving map[givenPlace][]int) {
	previous, fixed := front, front // fixed is the last entry that is not of other injectors
	for i, e := range all {
		switch {
		case e.stays:
		case e.isMine:
			e.insertBehind(r.neighbour(all[i:], previous, fixed, leaving))
		default:
			e.insertBehind(previous)
		}
		if previous = e; !e.isOther {
			fixed = e
		}
	}
}

// neighbour returns the entry that a new entry of an injector goes behind; it is the first of the rest. It goes to where another
// entry of its place leaves, so that the order among injectors stays. Otherwise it goes behind the previous one, or, if that
// is not in the same gap and of these injectors, before the next one that is and that stays.
func (r rebaser) neighbour(rest []*arranged, previous, fixed *arranged, leaving map[givenPlace][]int) *arranged {
	e := rest[0]
	to := r.now[e.Thing]
	if indexes := leaving[to]; len(indexes) > 0 {
		leaving[to] = indexes[1:]
		behind := fixed
		for next := behind.next; next != nil && next.isOther && next.slot <= indexes[0]; next = next.next {
			behind = next
		}
		return behind
	}
	if previous.isMine && previous.gap == e.gap {
		return previous
	}
	for _, next := range rest[1:] {
		if next.gap != e.gap || !next.isMine {
			break
		}
		if next.stays {
			return next.prev
		}
	}
	return previous
}

func (e *arranged) insertBehind(at *arranged) {
	e.prev, e.next = at, at.next
	if at.next != nil {
		at.next.prev = e
	}
	at.next = e
}
