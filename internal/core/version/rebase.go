package version

import (
	"maps"
	"slices"

	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Rebase returns the wanted version of a template, built from the nodes of the present one as far as they are equal.
// These keep their text. An entry that an injector had put in before, and puts in again, keeps its position in the list as
// well.
//
// Old and now are the stamps of the injectors that took part, before and after. What one of the others put in as well
// was not removed in between, and stays where it is.
func Rebase(present, wanted *node.Node, old, now, others []stamp.Owner) *node.Node {
	if node.Equal(present, wanted) { // as in most reruns
		return present
	}
	isFront := func(c stamp.Change) bool { return c.InFront }
	byOthers := added(others)
	front := changed(now, isFront)
	wasInFront := changed(old, isFront)
	r := rebaser{
		old:    without(added(old), byOthers),
		isNew:  without(addedAnew(now), byOthers),
		joined: joinedBy(now, others),
	}
	changesSides := func(at stamp.Address, _ bool) bool { return r.isNew[at] && front[at] != wasInFront[at] }
	maps.DeleteFunc(r.old, changesSides)
	return r.value("", present, wanted)
}

type rebaser struct {
	old    map[stamp.Address]bool // what the injectors that took part had put in, and none of the others
	isNew  map[stamp.Address]bool // the same for what they put in now, without what replaces something of the app
	joined joinedValues           // the values that the injectors and the others joined parts to
}

func (r rebaser) value(path string, present, wanted *node.Node) *node.Node {
	switch {
	case node.IsRestored(wanted) && (!isGrown(wanted) || hasGrown(wanted)):
		return wanted
	case present == wanted,
		present.Kind != node.AliasNode && wanted.Kind != node.AliasNode && node.Equal(present, wanted):
		return present
	case node.IsNew(wanted) && (present.Style^wanted.Style)&node.FlowStyle != 0:
		return wanted // the config now writes it in another style
	case len(r.joined) > 0 && node.IsString(present) && node.IsString(wanted):
		return r.text(path, node.Resolve(present), node.Resolve(wanted))
	case present.Kind == node.MappingNode && wanted.Kind == node.MappingNode:
		return r.mapping(path, present, wanted)
	case present.Kind == node.SequenceNode && wanted.Kind == node.SequenceNode:
		return r.sequence(path, present, wanted)
	default:
		return wanted
	}
}

// mapping keeps the keys that both versions have where they are. A new key goes behind the one that it follows in the
// wanted version.
func (r rebaser) mapping(path string, present, wanted *node.Node) *node.Node {
	presentOf := node.OwnValues(present)
	wantedOf := node.OwnValues(wanted)
	var first []*node.Node                 // the new keys at the front, with their values
	followers := map[string][]*node.Node{} // the other new keys, by the key that they follow
	last := ""
	follows := false
	for i := 0; i+1 < len(wanted.Content); i += 2 {
		key := wanted.Content[i]
		switch {
		case presentOf.Get(key.Value) != nil:
			last = key.Value
			follows = true
		case follows:
			followers[last] = append(followers[last], key, wanted.Content[i+1])
		default:
			first = append(first, key, wanted.Content[i+1])
		}
	}
	made := node.Clone(present)
	made.Content = first
	for i := 0; i+1 < len(present.Content); i += 2 {
		key := present.Content[i]
		if value := wantedOf.Get(key.Value); value != nil {
			made.Content = append(made.Content, key, r.value(stamp.Address{Path: path, Key: key.Value}.Inside(), present.Content[i+1], value))
			made.Content = append(made.Content, followers[key.Value]...)
			delete(followers, key.Value)
		}
	}
	return made
}

// sequence puts the wanted entries in order, and uses the present nodes for those that are there.
func (r rebaser) sequence(path string, present, wanted *node.Node) *node.Node {
	made := node.Clone(present)
	if !stamp.IsSeparable(stamp.AddressOf(path)) {
		made.Content = reuseEnds(present.Content, wanted.Content)
		return made
	}
	entries := r.matched(path, present.Content, wanted.Content)
	made.Content = make([]*node.Node, len(entries))
	// What replaces an entry of the app may move, like what is added.
	isFixed := func(e matched) bool { return !e.isMine && !node.IsNew(e.node) }
	fixed := make([]int, len(entries)) // the indexes of the entries of the app
	for i, e := range entries {
		made.Content[i] = e.node
		if fixed[i] = e.now; !isFixed(e) {
			fixed[i] = -1
		}
	}
	last := -1
	nextFixed := lowestBehind(fixed)
	for i, e := range entries {
		if e.now > last && (isFixed(e) || e.now < nextFixed[i]) { // otherwise it moves, and loses its text
			last = e.now
			made.Content[i] = r.entry(e.Address, present.Content[last], e.node)
		}
	}
	return made
}

// matched is a wanted entry of a list.
type matched struct {
	stamp.Address
	node   *node.Node
	now    int  // its index in the present list, or -1
	isMine bool // whether an injector that took part puts it in
}

// matched finds the wanted entries of a list in the present one.
func (r rebaser) matched(path string, present, wanted []*node.Node) []matched {
	now := matchAnywhere(path, present, wanted)
	all := make([]matched, len(wanted))
	for i, entry := range wanted {
		at := stamp.Address{Path: path, Key: stamp.KeyOf(path, entry)}
		all[i] = matched{Address: at, node: entry, now: now[i], isMine: r.isNew[at]}
	}
	return all
}

// entry is value for an entry of a list. An entry that replaces one of the app gets nothing of its text, such as
// comments.
func (r rebaser) entry(at stamp.Address, present, wanted *node.Node) *node.Node {
	if node.IsNew(wanted) && !r.old[at] && !node.Equal(present, wanted) {
		return wanted
	}
	return r.value(at.Inside(), present, wanted)
}

// reuseEnds returns the wanted entries, with the present nodes for those at the front and at the back that are equal.
func reuseEnds(present, wanted []*node.Node) []*node.Node {
	made := slices.Clone(wanted)
	most := min(len(present), len(wanted))
	front := 0
	for front < most && node.Equal(present[front], wanted[front]) {
		made[front] = present[front]
		front++
	}
	for back := 1; back <= most-front && node.Equal(present[len(present)-back], wanted[len(wanted)-back]); back++ {
		made[len(wanted)-back] = present[len(present)-back]
	}
	return made
}
