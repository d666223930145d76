package ledger

import (
	"cmp"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Clash is something that two injectors cannot both have as they want it.
type Clash struct {
	Kind ClashKind
	stamp.Address
	// Injectors are the two. If one sets all of something, and one adds to it, that is their order.
	Injectors [2]string
	// Separators are those of the two, for SeparatorsDiffer.
	Separators [2]string
	// With is the one of the two that has put something in already.
	With *Ledger

	index int // of With
}

// ClashKind is the kind of a clash, in the order in which clashes with one injector are reported.
type ClashKind int

// The kinds.
const (
	ValuesDiffer ClashKind = iota
	SidesDiffer            // they join the same to different sides of a value
	SeparatorsDiffer
	TheyWantAll // the other one sets all of something that this one adds to
	ThisWantsAll
)

// Clashes returns what an injector wants otherwise than those before it, each thing once: those of the run first. The
// view is of the version that has what others have put in. A live pod also has what API servers add.
//
//	one                         another                     clash
//	puts in x                   puts in y                   ValuesDiffer
//	puts in x                   finds y, which the app has  ValuesDiffer
//	joins x before the app's    joins x after the app's     SidesDiffer
//	joins by ":"                joins by " "                SeparatorsDiffer
//	puts in or finds a whole    puts something into it      TheyWantAll, ThisWantsAll
//	container or variable
//
// Everything else goes together: equal values are shared.
func (o *Owners) Clashes(own Ledger, before *stamp.View, isLive bool) []Clash {
	c := comparison{Owners: o, before: before, isLive: isLive, own: own}
	for _, at := range own.Stamp.Addresses() {
		c.compareAdded(at)
	}
	for at := range own.Stamp.Enters() {
		c.compareEntered(at)
	}
	for _, e := range own.Entries {
		if e.IsApps() {
			c.compareFound(e)
		}
	}
	order := func(found Clash) int {
		if found.With.IsOfRun {
			return found.index - len(o.all)
		}
		return found.index
	}
	slices.SortStableFunc(c.clashes, func(a, b Clash) int {
		return cmp.Or(order(a)-order(b), cmp.Compare(a.Kind, b.Kind),
			strings.Compare(a.Path, b.Path), strings.Compare(a.Key, b.Key))
	})
	isSame := func(a, b Clash) bool { return a.index == b.index && a.Kind == b.Kind && a.Address == b.Address }
	return slices.CompactFunc(c.clashes, isSame)
}

// comparison compares what an injector wants with what others have put in.
type comparison struct {
	*Owners
	before *stamp.View
	isLive bool
	own    Ledger
	values Values // of what is wanted; nil until it is needed

	clashes []Clash
}

// add adds a clash with an injector, which is the first of the two.
func (c *comparison) add(kind ClashKind, index int, at stamp.Address) *Clash {
	with := &c.all[index]
	c.clashes = append(c.clashes, Clash{
		Kind:      kind,
		Address:   at,
		Injectors: [2]string{with.Injector, c.own.Injector},
		With:      with,
		index:     index,
	})
	return &c.clashes[len(c.clashes)-1]
}

// addOwn adds a clash of which this injector is the first of the two.
func (c *comparison) addOwn(kind ClashKind, index int, at stamp.Address) {
	clash := c.add(kind, index, at)
	slices.Reverse(clash.Injectors[:])
}

// compareAdded compares something that the injector puts in.
func (c *comparison) compareAdded(at stamp.Address) {
	mine := c.own.Stamp.Changes[at]
	isChanged := c.Has(at) && c.isChanged(at)
	for _, i := range c.adds[at] {
		theirs := c.all[i].Stamp.Changes[at]
		switch {
		case c.all[i].Stamp.IsJoined(at) != c.own.Stamp.IsJoined(at): // one wants all of it, see below
		case theirs.Hash != mine.Hash || isChanged:
			c.add(ValuesDiffer, i, at)
		case theirs.InFront != mine.InFront:
			c.add(SidesDiffer, i, at)
		}
	}
	for _, i := range c.finds[at] {
		lacks := func(e Entry) bool {
			return slices.Contains(withParents(e.Address), at) && !node.Equal(c.wanted(e.Address), e.Value)
		}
		if slices.ContainsFunc(c.all[i].Entries, lacks) {
			c.addOwn(ValuesDiffer, i, at)
		}
	}
	if !c.own.Stamp.IsJoined(at) {
		for _, i := range c.enters[at] {
			c.addOwn(ThisWantsAll, i, at)
		}
	}
}

// wanted returns what the injector puts in at an address.
func (c *comparison) wanted(at stamp.Address) *node.Node {
	if c.values == nil {
		c.values = c.own.Entries.Values()
	}
	return c.values.At(at)
}

// isChanged reports whether somebody has changed something that another injector put in, in the same form.
func (c *comparison) isChanged(at stamp.Address) bool {
	if c.isLive || c.own.Stamp.IsJoined(at) || c.own.Stamp.Changes[at].IsPart {
		return false
	}
	present := c.before.At(at.Path, at.Key)
	return present != nil && !node.Equal(present, c.wanted(at))
}

// compareEntered compares something that the injector puts something into.
func (c *comparison) compareEntered(at stamp.Address) {
	for _, i := range c.adds[at] {
		if !c.all[i].Stamp.IsJoined(at) {
			c.add(TheyWantAll, i, at)
		}
	}
	for _, i := range c.finds[at] {
		isAll := func(e Entry) bool { return e.Address == at && e.Verb == Find }
		if slices.ContainsFunc(c.all[i].Entries, isAll) {
			c.add(TheyWantAll, i, at)
		}
	}
	own := c.own.Stamp.Separator(at)
	if own == "" { // a container, which all injectors may put something into
		return
	}
	for _, i := range c.enters[at] {
		theirs := c.all[i].Stamp.Separator(at)
		if theirs != own && theirs != "" {
			c.add(SeparatorsDiffer, i, at).Separators = [2]string{theirs, own}
		}
	}
}

// compareFound compares something that the injector wants and the app has with what is there: others may have replaced
// what the app has, and somebody may have changed what they put in.
func (c *comparison) compareFound(e Entry) {
	if len(c.enters[e.Address]) == 0 && !slices.ContainsFunc(withParents(e.Address), c.Has) {
		return // it is nobody else's, so that the pod need not be searched for it
	}
	if node.Equal(c.before.At(e.Path, e.Key), e.Value) {
		return
	}
	for _, at := range withParents(e.Address) {
		for _, i := range c.adds[at] {
			if c.before.At(at.Path, at.Key) != nil {
				c.add(ValuesDiffer, i, at)
			}
		}
	}
	if e.Verb == FindIn {
		return
	}
	for _, i := range c.enters[e.Address] {
		c.addOwn(ThisWantsAll, i, e.Address)
	}
}
