package ledger

import (
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Stamp returns what is written down of a ledger: the fingerprint of each entry that is put in, and how the app's was
// written that it replaces. If it is not known how that is written, the texts are empty.
func (all Entries) Stamp(hashes stamp.Hashes, app *stamp.View, written stamp.Written) *stamp.Stamp {
	s := new(stamp.Stamp)
	all.StampInto(s, hashes, app, written)
	return s
}

// StampInto is like Stamp, in the memory of a stamp that is not used any more.
func (all Entries) StampInto(to *stamp.Stamp, hashes stamp.Hashes, app *stamp.View, written stamp.Written) {
	to.Reset()
	r := recorder{Stamp: to, hashes: hashes, app: app, written: written}
	for i := range all {
		switch e := &all[i]; e.Verb {
		case Put:
			r.put(e)
		case Join:
			r.join(e)
		}
	}
	if !r.Empty() {
		r.emptyAround("metadata/annotations") // these will hold the stamp itself
	}
}

type recorder struct {
	*stamp.Stamp
	hashes  stamp.Hashes
	app     *stamp.View
	written stamp.Written
}

// was records how something of the app was written.
func (r recorder) was(at stamp.Address, n *node.Node) {
	text := ""
	if r.written != nil {
		text = r.written(n)
	}
	r.SetBefore(at, text)
}

// put records something that is put in, and what the app has instead.
func (r recorder) put(e *Entry) {
	r.emptyAround(e.Path)
	before := r.app.Own(e.Address)
	if before != nil {
		r.was(e.Address, before)
	}
	if e.IsEntry || before != nil && !node.IsNull(node.Resolve(before)) {
		r.hashes.AddTo(r.Stamp, e.Address, e.Value)
		return
	}
	r.newValue(e.Address, e.Value)
}

// newValue records a value where there was none. Something that others may add to is recorded by its parts.
func (r recorder) newValue(at stamp.Address, value *node.Node) {
	switch {
	case value.Kind == node.MappingNode && len(value.Content) > 0 && !pod.At(at.Path).Child(at.Key).Whole:
		for i := 0; i+1 < len(value.Content); i += 2 {
			r.newValue(at.Child(value.Content[i].Value), value.Content[i+1])
		}
	case value.Kind == node.SequenceNode && len(value.Content) > 0 && stamp.IsSeparable(at):
		for _, entry := range value.Content {
			r.hashes.AddTo(r.Stamp, at.Child(stamp.KeyOf(at.Inside(), entry)), entry)
		}
	default:
		r.hashes.AddTo(r.Stamp, at, value)
	}
}

// join records parts, and how the app's value was written that they were joined to, or a new variable. The position of a
// part is on one side of what the app has, even if that is nothing.
func (r recorder) join(e *Entry) {
	for _, part := range e.Parts {
		r.AddPart(stamp.Joined{Variable: e.Address, Separator: e.Separator, Part: part})
	}
	app := r.app.At(e.Path, e.Key)
	if app == nil {
		r.hashes.AddTo(r.Stamp, e.Address, node.Mapping(node.String("name"), node.String(e.Key)))
		r.emptyAround(e.Path)
	} else if was := node.OwnValue(app, "value"); was != nil {
		r.was(e.Child("value"), was)
	}
}

// emptyAround records the mapping or list at a path, and those around it, that the app has without content.
func (r recorder) emptyAround(path string) {
	for path != "" {
		at := stamp.AddressOf(path)
		if present := r.app.Own(at); stamp.IsEmpty(present) && r.Changes[at].Before == nil {
			r.was(at, present)
		}
		path = at.Path
	}
}
