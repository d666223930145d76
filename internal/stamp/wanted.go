package stamp

import (
	"cmp"
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// Wanted is something that an injector wants to put into a pod template: a value in a mapping, or an entry of a list.
type Wanted struct {
	Thing
	Value   *yaml.Node
	IsEntry bool
	// Moves is set if it does not stay where the entry was that it replaces.
	Moves bool
}

// OfWishes returns the stamp of an injector that puts all that it wants into a pod template that no other injector has changed, which
// is the pristine one of inside. Without the texts of what it replaces, it is an outline.
func (h Hashes) OfWishes(all []Wanted, layout func(path, key string, n *yaml.Node) Layout, inside Inside, isOutline bool) *Stamp {
	r := recorder{Stamp: &Stamp{}, layout: layout, inside: inside, hashes: h, isOutline: isOutline}
	for _, w := range all {
		r.wanted(w)
	}
	byVariable := map[Thing][]Joined{}
	for _, part := range inside.Joined {
		byVariable[part.Variable] = append(byVariable[part.Variable], part)
	}
	for variable, parts := range byVariable {
		if inside.Pristine.At(variable.Path, variable.Key) == nil {
			r.add(variable, node.Mapping(node.String("name"), node.String(variable.Key)))
			r.emptyAround(variable.Path)
		}
		r.joinedTo(variable, parts)
	}
	for at, amount := range inside.Grown {
		r.grown(at, amount)
		r.emptyAround(at.Path)
	}
	for path, entries := range r.Cut {
		slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.At, b.At) })
		r.Cut[path] = entries
	}
	if !r.Empty() {
		r.parentsOfStamp(inside.Pristine.template)
	}
	return r.Stamp
}

// wanted records something that is put in, and what the app has in its place.
func (r recorder) wanted(w Wanted) {
	r.emptyAround(w.Path)
	in := r.inside.Pristine.opened(w.Path)
	if !w.IsEntry {
		before := ownValue(in, w.Key)
		switch {
		case before == nil:
			r.newValue(w.Thing, w.Value)
		case node.IsNull(node.Resolve(before)):
			r.was(w.Thing, before)
			r.newValue(w.Thing, w.Value)
		default:
			r.was(w.Thing, before)
			r.add(w.Thing, w.Value)
		}
		return
	}
	r.add(w.Thing, w.Value)
	isReplaced := w.Moves
	for _, i := range r.inside.Pristine.indexesIn(in, w.Path, w.Key) {
		entry := in.Content[i]
		if !isReplaced {
			isReplaced = true
			r.was(w.Thing, entry)
			continue
		}
		layout := r.layout(w.Path, w.Key, entry)
		r.cut(w.Path, Entry{At: i, Below: layout.Below, Text: layout.Text})
	}
}

// emptyAround records the mapping or list at a path, and those around it, that the app has without content.
func (r recorder) emptyAround(path string) {
	for path != "" {
		at := ThingAt(path)
		if in := r.inside.Pristine.opened(at.Path); in != nil && in.Kind == yaml.MappingNode {
			if empty := ownValue(in, at.Key); isEmpty(empty) {
				if _, known := r.Was[at.Path][at.Key]; !known {
					r.was(at, empty)
				}
			}
		}
		path = at.Path
	}
}
