package learn

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Difference is a part of two pod templates in normal form that is not the same in both.
type Difference struct {
	path      []string   // with the keys of entries of lists
	Got, Want *node.Node // nil if it is missing
}

// Path returns the path for people: spec.containers[web].env[LEVEL]. An entry without a key has that of its list.
func (d Difference) Path() string {
	path := ""
	for i, step := range d.path {
		switch row := pod.Of(d.path[:i]...); {
		case row.IsKeyed() || row.Noun != "" && strings.ContainsAny(step, "./"):
			path += "[" + step + "]"
		case pod.Element(typeAt(d.path[:i])) == nil:
			path += "." + step
		}
	}
	return strings.TrimPrefix(path, ".")
}

// compare returns the differences of two pod templates, as deep inside as possible. An entry of a list that only one of
// them has is one difference.
func compare(got, want *node.Node) []Difference {
	var c comparison
	c.value(nil, got, want, pod.Of())
	return c.found
}

type comparison struct{ found []Difference }

func (c *comparison) add(path []string, got, want *node.Node) {
	c.found = append(c.found, Difference{path: slices.Clone(path), Got: got, Want: want})
}

func (c *comparison) value(path []string, got, want *node.Node, row *pod.Row) {
	if node.Equal(got, want) {
		return
	}
	one, other := cmp.Or(got, want), cmp.Or(want, got) // the same if one is missing
	isInside := one.Kind == other.Kind && len(one.Content)+len(other.Content) > 0
	switch {
	case isInside && one.Kind == node.MappingNode && !row.Whole:
		old, wanted := node.Values(got), node.Values(want)
		for _, key := range node.DifferingKeys(got, want) {
			c.value(append(path, key), old.Get(key), wanted.Get(key), row.Child(key))
		}
	case isInside && one.Kind == node.SequenceNode && (row.IsKeyed() || len(path) < 3 || !isContainerList(path[1])): // not args, for example
		c.list(path, node.List(got), node.List(want), row)
	default:
		c.add(path, got, want)
	}
}

// list compares the entries of a list by their keys, and then their order if it has a meaning.
func (c *comparison) list(path []string, got, want []*node.Node, row *pod.Row) {
	count := len(c.found)
	gotKeys, byKey := childrenOf(node.Sequence(got...), row)
	wantKeys, wanted := childrenOf(node.Sequence(want...), row)
	for _, key := range slices.Concat(wantKeys, gotKeys) {
		switch a, b := byKey[key], wanted[key]; {
		case a != nil && b != nil:
			c.value(append(path, key), a, b, row.Entry())
		case a != nil || b != nil: // and not the second time
			c.add(append(path, key), a, b)
		}
		delete(byKey, key)
		delete(wanted, key)
	}
	usesOthers := func(variable *node.Node) bool { return strings.Contains(node.Text(variable, "value"), "$(") }
	hasOrder := !row.AnyOrder && !row.Adds && path[len(path)-1] != "volumeMounts" && (!row.Expands || slices.ContainsFunc(want, usesOthers))
	if !hasOrder || len(c.found) > count || slices.Equal(gotKeys, wantKeys) {
		return
	}
	if row.IsKeyed() {
		c.add(path, encoded(gotKeys), encoded(wantKeys))
		return
	}
	c.add(path, node.Sequence(got...), node.Sequence(want...))
}

// childrenOf returns the parts of a mapping or a list by their keys. Entries without keys have their content as one.
func childrenOf(n *node.Node, row *pod.Row) (keys []string, byKey map[string]*node.Node) {
	byKey = map[string]*node.Node{}
	if n.Kind == node.MappingNode {
		for key, value := range node.Fields(n) {
			keys, byKey[key] = append(keys, key), value
		}
		return keys, byKey
	}
	repeated := map[string]int{}
	for _, entry := range n.Content {
		key := entryKey(row, entry)
		repeated[key]++
		if times := repeated[key]; times > 1 { // variables may have the same name
			key += "#" + strconv.Itoa(times)
		}
		keys, byKey[key] = append(keys, key), entry
	}
	return keys, byKey
}

// entryKey returns what identifies an entry of a list: its key, or its whole content if the list has none.
func entryKey(row *pod.Row, entry *node.Node) string {
	if row.IsKeyed() {
		return row.Key(entry)
	}
	return string(node.AppendCanonical(nil, entry))
}
