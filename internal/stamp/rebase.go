package stamp

import (
	"math"
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// Rebase makes the wanted version of a template out of the nodes of the present one: what is
// the same keeps its text, and an entry that an injector had put in before and puts in again
// keeps its place, though it was taken out in between.
//
// Old and now are the stamps before and after of the injectors that took part. What one of the others
// put in as well was never taken out, and stays where it is.
func Rebase(present, wanted *yaml.Node, old, now, others []Owner) *yaml.Node {
	r := rebaser{old: placesOf(old, others), now: placesOf(now, others), theirs: addedBy(others).without(others)}
	return r.value("", present, wanted)
}

// places are the places that entries of lists were given, by path and key.
type places map[string]map[string]given

// given is a place, and the first injector that gave it to an entry.
type given struct {
	place, owner string
	disputed     bool // whether another would have given it another place
}

func placesOf(owners, others []Owner) places {
	all, theirs := places{}, addedBy(others)
	for _, o := range owners {
		for path, prints := range o.Added {
			for key, p := range prints {
				if theirs.adds(path, key) {
					continue
				}
				if all[path] == nil {
					all[path] = map[string]given{}
				}
				first, shared := all[path][key]
				if !shared {
					first = given{place: p.Place, owner: o.Key}
				}
				first.disputed = first.disputed || first.place != p.Place
				all[path][key] = first
			}
		}
	}
	return all
}

type rebaser struct {
	old, now places
	theirs   added // what the others have put in where nothing was
}

func (r rebaser) value(path string, p, w *yaml.Node) *yaml.Node {
	switch {
	case isRestored(w) && (!isGrown(w) || hasGrown(w)):
		return w
	case p == w || p.Kind != yaml.AliasNode && w.Kind != yaml.AliasNode && node.Equal(p, w):
		return p
	case isNew(w) && (p.Style^w.Style)&yaml.FlowStyle != 0:
		return w // the config writes it another way now
	case p.Kind == yaml.MappingNode && w.Kind == yaml.MappingNode:
		return r.mapping(path, p, w)
	case p.Kind == yaml.SequenceNode && w.Kind == yaml.SequenceNode:
		return r.sequence(path, p, w)
	default:
		return w
	}
}

// mapping keeps the keys that both have where they are. New ones go behind the key that they
// follow in the wanted version.
func (r rebaser) mapping(path string, p, w *yaml.Node) *yaml.Node {
	made := node.Clone(p)
	made.Content = nil
	is, wanted := node.OwnValues(p), node.OwnValues(w)
	var front []*yaml.Node                 // new keys and their values that follow none
	followers := map[string][]*yaml.Node{} // and the others, by the key that they follow
	last, follows, seen := "", false, map[string]bool{}
	for i := 0; i+1 < len(w.Content); i += 2 {
		key := w.Content[i]
		switch {
		case is(key.Value) != nil:
			last, follows = key.Value, true
		case seen[key.Value]:
		case follows:
			followers[last] = append(followers[last], key, w.Content[i+1])
		default:
			front = append(front, key, w.Content[i+1])
		}
		seen[key.Value] = true
	}
	made.Content = append(made.Content, front...)
	for i := 0; i+1 < len(p.Content); i += 2 {
		key := p.Content[i]
		if value := wanted(key.Value); value != nil {
			made.Content = append(made.Content, key, r.value(join(path, key.Value), p.Content[i+1], value))
			made.Content = append(made.Content, followers[key.Value]...)
			delete(followers, key.Value)
		}
	}
	return made
}

func indexOfKey(m *yaml.Node, key string) int {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			return i
		}
	}
	return -1
}

// sequence brings the wanted entries into order and takes the present nodes for those that are
// there.
func (r rebaser) sequence(path string, p, w *yaml.Node) *yaml.Node {
	made := node.Clone(p)
	if !byEntry(path) {
		made.Content = ends(p.Content, w.Content)
		return made
	}
	entries, origin := r.arranged(path, p.Content, w.Content)
	made.Content = entries
	before, fixed := -1, r.nextFixed(path, entries, origin)
	for i, entry := range entries {
		if origin[i] > before && (!r.mine(path, entry) || origin[i] < fixed[i]) {
			before = origin[i]
			made.Content[i] = r.entry(path, p.Content[before], entry)
		}
	}
	return made
}

// entry is value for an entry of a list. One that takes the place of the app's has nothing of its
// text, comments and setters least of all.
func (r rebaser) entry(path string, p, w *yaml.Node) *yaml.Node {
	key := KeyOf(last(path), node.Resolve(w))
	if _, wasMine := r.old[path][key]; isNew(w) && !wasMine && !node.Equal(p, w) {
		return w
	}
	return r.value(join(path, key), p, w)
}

// mine tells whether an entry is one that an injector puts in.
func (r rebaser) mine(path string, entry *yaml.Node) bool {
	_, mine := r.now[path][KeyOf(last(path), node.Resolve(entry))]
	return mine
}

// insideMine tells whether a path leads into something that an injector puts in.
func (r rebaser) insideMine(path string) bool {
	for path != "" {
		above, key := parent(path)
		if _, mine := r.now[above][key]; mine {
			return true
		}
		path = above
	}
	return false
}

// nextFixed are the indexes that the next entry behind each has now that is not an injector's. An injector's own
// entry keeps its text only if it does not have to pass that one.
func (r rebaser) nextFixed(path string, entries []*yaml.Node, origin []int) []int {
	fixed, next := make([]int, len(entries)), math.MaxInt
	for i := len(entries) - 1; i >= 0; i-- {
		fixed[i] = next
		if origin[i] >= 0 && !r.mine(path, entries[i]) {
			next = origin[i]
		}
	}
	return fixed
}

// ends keeps the entries at the front and at the back that are the same.
func ends(p, w []*yaml.Node) []*yaml.Node {
	made, most := slices.Clone(w), min(len(p), len(w))
	front := 0
	for front < most && node.Equal(p[front], w[front]) {
		made[front] = p[front]
		front++
	}
	for back := 1; back <= most-front && node.Equal(p[len(p)-back], w[len(w)-back]); back++ {
		made[len(w)-back] = p[len(p)-back]
	}
	return made
}
