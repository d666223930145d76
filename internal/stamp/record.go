package stamp

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// Record returns the difference between two versions of a pod template. The nodes that stayed must be the same in both, and
// those that were changed must have kept their positions. The function layout returns how something of the version before
// is written.
func Record(before, after *yaml.Node, layout func(path, key string, n *yaml.Node) Layout) *Stamp {
	return Hashes{}.Record(before, after, layout)
}

// Record is like the function, for an injector.
func (h Hashes) Record(before, after *yaml.Node, layout func(path, key string, n *yaml.Node) Layout) *Stamp {
	r := recorder{Stamp: &Stamp{}, layout: layout, hashes: h}
	r.mapping("", before, after)
	if !r.Empty() {
		r.parentsOfStamp(before)
	}
	return r.Stamp
}

// Inside is what an injector changed inside texts.
type Inside struct {
	Joined []Joined         // what was joined to values
	Grown  map[Thing]string // what was added to quantities
	// Pristine is the pod template without what any injector added.
	Pristine *View
}

type recorder struct {
	*Stamp
	layout func(path, key string, n *yaml.Node) Layout
	inside Inside
	hashes Hashes

	isOutline bool
}

// parentsOfStamp records the mappings that will hold the stamp itself, if they are there and empty.
func (r recorder) parentsOfStamp(before *yaml.Node) {
	metadata := ownValue(before, "metadata")
	if isEmpty(metadata) {
		r.was(Thing{"", "metadata"}, metadata)
	}
	if annotations := ownValue(node.Resolve(metadata), "annotations"); isEmpty(annotations) {
		r.was(Thing{"metadata", "annotations"}, annotations)
	}
}

func isEmpty(n *yaml.Node) bool {
	return n != nil && (node.IsNull(n) || n.Kind != yaml.ScalarNode && len(node.Resolve(n).Content) == 0)
}

// ownValue returns what a mapping itself has at a key, without merge keys.
func ownValue(m *yaml.Node, key string) *yaml.Node { return node.OwnValues(m).Get(key) }

func (r recorder) add(at Thing, n *yaml.Node) {
	r.Added = with(r.Added, at, Fingerprint{Hash: r.hashes.of(at, n)})
}

func (r recorder) was(at Thing, n *yaml.Node) {
	text := ""
	if !r.isOutline {
		text = r.layout(at.Path, at.Key, n).Text
	}
	r.Was = with(r.Was, at, text)
}

// mapping records what became of the values of a mapping. The mapping before may be nil.
func (r recorder) mapping(path string, before, after *yaml.Node) {
	was := node.OwnValues(before)
	for i := 0; i+1 < len(after.Content); i += 2 {
		key := after.Content[i].Value
		if path != annotationsPath || !IsKey(key) { // stamps are not recorded
			r.value(Thing{path, key}, was.Get(key), after.Content[i+1])
		}
	}
}

// value records what became of a value.
func (r recorder) value(at Thing, before, after *yaml.Node) {
	if before == after {
		return
	}
	resolved := node.Resolve(before)
	switch {
	case before == nil:
		r.newValue(at, after)
	case node.IsNull(resolved):
		if !node.IsNull(after) {
			r.was(at, before)
			r.newValue(at, after)
		}
	case resolved.Kind == yaml.MappingNode && after.Kind == yaml.MappingNode:
		r.wasEmpty(at, resolved, after)
		r.mapping(at.Inside(), resolved, after)
	case resolved.Kind == yaml.SequenceNode && after.Kind == yaml.SequenceNode && isSeparable(at):
		r.wasEmpty(at, resolved, after)
		r.sequence(at.Inside(), resolved.Content, after.Content)
	case !node.Equal(before, after):
		r.was(at, before)
		r.add(at, after)
	}
}

func (r recorder) wasEmpty(at Thing, before, after *yaml.Node) {
	if len(before.Content) == 0 && len(after.Content) > 0 {
		r.was(at, before)
	}
}

// newValue records a value where there was none. Something that others may add to is recorded by its parts.
func (r recorder) newValue(at Thing, after *yaml.Node) {
	switch {
	case after.Kind == yaml.MappingNode && len(after.Content) > 0 && !pod.At(at.Path).Child(at.Key).Whole:
		r.mapping(at.Inside(), nil, after)
	case after.Kind == yaml.SequenceNode && len(after.Content) > 0 && isSeparable(at):
		r.sequence(at.Inside(), nil, after.Content)
	default:
		r.add(at, after)
	}
}

// sequence records what became of the entries of a list.
func (r recorder) sequence(path string, were, are []*yaml.Node) {
	const few = 16 // as most lists have, without memory of their own
	var oldRoom [few]int
	var staysRoom [few]bool
	old := matchInOrder(oldRoom[:0], path, were, are)
	stays := append(staysRoom[:0], make([]bool, len(were))...)
	for i, entry := range are {
		if at := old[i]; at >= 0 {
			stays[at] = true
			r.entry(path, were[at], entry)
			continue
		}
		r.add(Thing{path, KeyOf(path, entry)}, entry)
	}
	for i, entry := range were {
		if !stays[i] {
			layout := r.layout(path, KeyOf(path, entry), entry)
			r.cut(path, Entry{At: i, Below: layout.Below, Text: layout.Text})
		}
	}
}

// entry records what became of an entry that stayed, or that was replaced by another of the same key.
func (r recorder) entry(path string, before, after *yaml.Node) {
	if before == after || node.Equal(before, after) {
		return
	}
	at := Thing{path, KeyOf(path, before)}
	isWrittenOut := before.Kind == yaml.AliasNode && (IsContainers(path) || !pod.At(path).Taken.Replace) // others are replaced as a whole
	stayed := isWrittenOut || node.IsSame(before, after) || node.IsNew(before) && node.IsNew(after)
	if stayed && after.Kind == yaml.MappingNode {
		r.mapping(at.Inside(), node.Resolve(before), after)
		return
	}
	r.was(at, before)
	r.add(at, after)
}
