package stamp

import (
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Wanted is something that an injector wants to put into a pod template: a value in a mapping, or an entry of a list.
type Wanted struct {
	Address
	Value   *node.Node
	IsEntry bool
}

// Inside is what an injector changed inside texts.
type Inside struct {
	Joined []Joined // what was joined to values
	// App is the pod template without what any injector added.
	App *View
}

// Written returns how something of the app was written.
type Written func(n *node.Node) string

// OfWanted returns the stamp of an injector that puts all that it wants into a pod template that no other injector has
// changed, which is the one of the app in inside. If it is not known how that is written, the texts are empty.
func (h Hashes) OfWanted(all []Wanted, written Written, inside Inside) *Stamp {
	s := new(Stamp)
	h.RecordWanted(s, all, written, inside)
	return s
}

// RecordWanted is like OfWanted, in the memory of a stamp that is not used any more.
func (h Hashes) RecordWanted(to *Stamp, all []Wanted, written Written, inside Inside) {
	to.reset()
	r := recorder{Stamp: to, written: written, inside: inside, hashes: h}
	for _, w := range all {
		r.wanted(w)
	}
	for _, part := range inside.Joined {
		r.joined(part)
	}
	if !r.Empty() {
		r.emptyAround(annotationsPath) // these will hold the stamp itself
	}
}

type recorder struct {
	*Stamp
	written Written
	inside  Inside
	hashes  Hashes
}

func isEmpty(n *node.Node) bool {
	return n != nil && (node.IsNull(n) || n.Kind != node.ScalarNode && len(node.Resolve(n).Content) == 0)
}

// AddTo adds to a stamp that a thing was put in.
func (h Hashes) AddTo(to *Stamp, at Address, n *node.Node) {
	to.change(at, func(c *Change) { c.Fingerprint = Fingerprint{Hash: h.of(at, n)} })
}

func (r recorder) was(at Address, n *node.Node) {
	text := ""
	if r.written != nil {
		text = r.written(n)
	}
	r.change(at, func(c *Change) { c.Before = &text })
}

// wanted records something that is put in, and what the app has instead.
func (r recorder) wanted(w Wanted) {
	r.emptyAround(w.Path)
	in := r.inside.App.nodeAt(w.Path)
	if !w.IsEntry {
		before := node.OwnValue(in.node, w.Key)
		if before != nil {
			r.was(w.Address, before)
		}
		if before == nil || node.IsNull(node.Resolve(before)) {
			r.newValue(w.Address, w.Value)
		} else {
			r.hashes.AddTo(r.Stamp, w.Address, w.Value)
		}
		return
	}
	r.hashes.AddTo(r.Stamp, w.Address, w.Value)
	if all := in.find(w.Key); len(all) > 0 {
		r.was(w.Address, in.node.Content[all[0]])
	}
}

// newValue records a value where there was none. Something that others may add to is recorded by its parts.
func (r recorder) newValue(at Address, value *node.Node) {
	switch {
	case value.Kind == node.MappingNode && len(value.Content) > 0 && !pod.At(at.Path).Child(at.Key).Whole:
		for i := 0; i+1 < len(value.Content); i += 2 {
			r.newValue(Address{at.Inside(), value.Content[i].Value}, value.Content[i+1])
		}
	case value.Kind == node.SequenceNode && len(value.Content) > 0 && isSeparable(at):
		for _, entry := range value.Content {
			r.hashes.AddTo(r.Stamp, Address{at.Inside(), KeyOf(at.Inside(), entry)}, entry)
		}
	default:
		r.hashes.AddTo(r.Stamp, at, value)
	}
}

// emptyAround records the mapping or list at a path, and those around it, that the app has without content.
func (r recorder) emptyAround(path string) {
	for path != "" {
		at := AddressOf(path)
		present := node.OwnValue(r.inside.App.nodeAt(at.Path).node, at.Key)
		if isEmpty(present) && r.Changes[at].Before == nil {
			r.was(at, present)
		}
		path = at.Path
	}
}

// Record returns the difference between two versions of a pod template. The nodes that stayed must be the same in both,
// and those that were changed must have kept their positions.
func (h Hashes) Record(before, after *node.Node, written Written) *Stamp {
	return h.OfWanted(Difference(before, after), written, Inside{App: NewView(before)})
}

// Difference returns what a version of a pod template has and an earlier one does not have. The nodes are as for
// Record.
func Difference(before, after *node.Node) []Wanted {
	var d difference
	d.mapping("", before, after)
	return d
}

// difference is what a version of a pod template has and an earlier one does not have.
type difference []Wanted

// mapping adds what became of the values of a mapping.
func (d *difference) mapping(path string, before, after *node.Node) {
	was := node.OwnValues(before)
	for i := 0; i+1 < len(after.Content); i += 2 {
		key := after.Content[i].Value
		if path != annotationsPath || !IsKey(key) { // stamps are not recorded
			d.value(Address{path, key}, was.Get(key), after.Content[i+1])
		}
	}
}

// value adds what became of a value.
func (d *difference) value(at Address, before, after *node.Node) {
	if before == after {
		return
	}
	was := node.Resolve(before)
	isKind := func(kind node.Kind) bool { return was != nil && was.Kind == kind && after.Kind == kind }
	switch {
	case isKind(node.MappingNode):
		d.mapping(at.Inside(), was, after)
	case isKind(node.SequenceNode) && isSeparable(at):
		d.sequence(at.Inside(), was.Content, after.Content)
	case before == nil || !node.Equal(before, after):
		*d = append(*d, Wanted{Address: at, Value: after})
	}
}

// sequence adds what became of the entries of a list.
func (d *difference) sequence(path string, were, are []*node.Node) {
	for i, was := range matchAnywhere(path, were, are) {
		if was < 0 || !d.isSame(path, were[was], are[i]) {
			*d = append(*d, Wanted{Address: Address{path, KeyOf(path, are[i])}, Value: are[i], IsEntry: true})
		}
	}
}

// isSame reports whether an entry was not replaced by another of the same key. It adds what changed inside.
func (d *difference) isSame(path string, before, after *node.Node) bool {
	if before == after || node.Equal(before, after) {
		return true
	}
	isReplaceable := !IsContainers(path) && pod.At(path).Taken.Replace // as a whole
	isWrittenOut := before.Kind == node.AliasNode && !isReplaceable
	stayed := isWrittenOut || node.IsSame(before, after) || node.IsNew(before) && node.IsNew(after)
	if !stayed || after.Kind != node.MappingNode {
		return false
	}
	d.mapping(Address{path, KeyOf(path, before)}.Inside(), node.Resolve(before), after)
	return true
}
