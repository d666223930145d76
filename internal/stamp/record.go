package stamp

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// Text is how a node of the version before is written, so that it can be put back as it was. The
// node stands at a key of the mapping or list at a path.
type Text func(path, key string, n *yaml.Node) Source

// Source is how something is written.
type Source struct {
	Text  string
	Below int // see Entry
}

type recorder struct {
	*Stamp
	text   Text
	merged []string
}

// Record is what makes one version of a pod template the other. After must have grown out of
// before: nodes that stayed are shared, and those that were changed have kept their positions.
// Merged are the annotations that JSON is merged into.
func Record(before, after *yaml.Node, text Text, merged ...string) *Stamp {
	r := recorder{Stamp: newStamp(), text: text, merged: merged}
	r.mapping("", before, after)
	if !r.Empty() {
		r.home(before)
	}
	return r.Stamp
}

// home records where the stamp itself goes, if that is there and empty.
func (r recorder) home(before *yaml.Node) {
	metadata := ownValue(before, "metadata")
	if isEmpty(metadata) {
		r.was("", "metadata", metadata)
	}
	if annotations := ownValue(node.Resolve(metadata), "annotations"); isEmpty(annotations) {
		r.was("metadata", "annotations", annotations)
	}
}

func isEmpty(n *yaml.Node) bool {
	return n != nil && (node.IsNull(n) || n.Kind != yaml.ScalarNode && len(node.Resolve(n).Content) == 0)
}

func (r recorder) add(path, key string, of Print) { set(r.Added, path, key, of) }

func (r recorder) was(path, key string, n *yaml.Node) {
	set(r.Was, path, key, r.sourceOf(path, key, n).Text)
}

// sourceOf is how a node of the version before is written. What JSON in an annotation holds is JSON.
func (r recorder) sourceOf(path, key string, n *yaml.Node) Source {
	source := r.text(path, key, n)
	if _, inside := inObject(path); inside {
		source.Below = 0
		if _, err := readJSON(source.Text); err != nil {
			source.Text = objectText(n)
		}
	}
	return source
}

func set[T any](to map[string]map[string]T, path, key string, value T) {
	if to[path] == nil {
		to[path] = map[string]T{}
	}
	to[path][key] = value
}

func (r recorder) mapping(path string, b, a *yaml.Node) {
	was, is := node.OwnValues(b), node.OwnValues(a)
	for i := 0; i+1 < len(a.Content); i += 2 {
		key := a.Content[i].Value
		if path == annotationsPath && IsKey(key) {
			continue // no stamp speaks of stamps
		}
		r.value(path, key, was(key), a.Content[i+1])
	}
	if _, inside := inObject(path); inside && b != nil { // only there can a key be taken out
		for i := 0; i+1 < len(b.Content); i += 2 {
			if is(b.Content[i].Value) == nil {
				r.was(path, b.Content[i].Value, b.Content[i+1])
			}
		}
	}
}

const labelsPath, annotationsPath = "metadata/labels", "metadata/annotations"

// ownValue is what a mapping itself has at a key; what a merge key brings in is not its own.
func ownValue(m *yaml.Node, key string) *yaml.Node {
	if m == nil || m.Kind != yaml.MappingNode {
		return nil
	}
	if i := indexOfKey(m, key); i >= 0 {
		return m.Content[i+1]
	}
	return nil
}

// value records what became of the value of a key.
func (r recorder) value(path, key string, b, a *yaml.Node) {
	if b == a {
		return
	}
	at, resolved := join(path, key), node.Resolve(b)
	switch {
	case r.mergesInto(path, key, b, a):
		if b != nil && !node.Equal(b, a) {
			r.was(path, key, b)
		}
		r.mapping(at, object(b), object(a))
	case b == nil:
		r.fresh(path, key, a)
	case node.IsNull(resolved):
		if !node.IsNull(a) {
			r.was(path, key, b)
			r.fresh(path, key, a)
		}
	case resolved.Kind == yaml.MappingNode && a.Kind == yaml.MappingNode:
		r.wasEmpty(path, key, resolved, a)
		r.mapping(at, resolved, a)
	case resolved.Kind == yaml.SequenceNode && a.Kind == yaml.SequenceNode && byEntry(at):
		r.wasEmpty(path, key, resolved, a)
		r.sequence(at, resolved, a)
	case !node.Equal(b, a):
		r.was(path, key, b)
		r.add(path, key, Print{Whole: hashOf(a)})
	}
}

func (r recorder) wasEmpty(path, key string, b, a *yaml.Node) {
	if len(b.Content) == 0 && len(a.Content) > 0 {
		r.was(path, key, b)
	}
}

// fresh records a value where there was none. What others may add to is recorded by its parts.
func (r recorder) fresh(path, key string, a *yaml.Node) {
	at := join(path, key)
	switch {
	case a.Kind == yaml.MappingNode && len(a.Content) > 0 && !isOne(path, key):
		r.mapping(at, nil, a)
	case a.Kind == yaml.SequenceNode && len(a.Content) > 0 && byEntry(at):
		r.sequence(at, nil, a)
	default:
		r.add(path, key, Print{Whole: hashOf(a)})
	}
}

// isOne tells whether a field of the pod spec is one choice, which nobody else can add to.
func isOne(path, key string) bool {
	return strings.HasPrefix(path, "spec/") && podtemplate.IsOneChoice(key)
}

// sequence records what became of the entries of a list.
func (r recorder) sequence(path string, b, a *yaml.Node) {
	var were []*yaml.Node
	if b != nil {
		were = b.Content
	}
	origin := pair(last(path), were, a.Content)
	stays := make([]bool, len(were))
	staying := 0
	for _, at := range origin {
		if at >= 0 {
			staying++
		}
	}
	place := before // where a new entry stands among those that were there
	for i, entry := range a.Content {
		if staying == 0 {
			place = "" // behind them all, or there are none
		}
		key := KeyOf(last(path), node.Resolve(entry))
		if at := origin[i]; at >= 0 {
			stays[at], place = true, behind+key
			staying--
			r.entry(path, were[at], entry)
		} else {
			r.add(path, key, printOf(path, entry, place))
		}
	}
	for i, entry := range were {
		if !stays[i] {
			source := r.sourceOf(path, KeyOf(last(path), node.Resolve(entry)), entry)
			r.Cut[path] = append(r.Cut[path], Entry{At: i, Below: source.Below, Text: source.Text})
		}
	}
}

// entry records what became of an entry that stays, or that another took the place of.
func (r recorder) entry(path string, b, a *yaml.Node) {
	if b == a || node.Equal(b, a) {
		return
	}
	key := KeyOf(last(path), node.Resolve(b))
	grown := b.Kind == yaml.AliasNode || sameOrigin(b, a) || isNew(b) && isNew(a)
	if grown && a.Kind == yaml.MappingNode {
		r.mapping(join(path, key), node.Resolve(b), a)
		return
	}
	r.was(path, key, b)
	r.add(path, key, printOf(path, a, ""))
}

func printOf(path string, entry *yaml.Node, place string) Print {
	if isContainers(path) {
		return Print{Fields: fieldHashes(entry), Place: place}
	}
	return Print{Whole: hashOf(entry), Place: place}
}
