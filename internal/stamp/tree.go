package stamp

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// tree finds things in a template that is being changed, and makes what it finds safe to change. It searches nothing twice,
// because a stamp may have thousands of paths.
type tree struct {
	owned  map[string]*yaml.Node           // what is safe to change, by path
	index  map[*yaml.Node]map[string][]int // of mappings and lists: the indexes of values and entries by their keys
	merged map[*yaml.Node]map[string]bool  // of mappings with merge keys: all their keys
	holed  map[*yaml.Node]bool             // the mappings and lists with holes
	steps  int                             // how many nodes were visited, for the tests
}

// hole replaces what is removed, so that the indexes of the rest stay as they are until close.
var hole = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!gone", Value: "\x00"} // no key of a text has this value

func newTree(template *yaml.Node) *tree {
	return &tree{
		owned: map[string]*yaml.Node{"": template}, index: map[*yaml.Node]map[string][]int{},
		merged: map[*yaml.Node]map[string]bool{}, holed: map[*yaml.Node]bool{},
	}
}

// at returns what a path leads to, or nil.
func (t *tree) at(path string) *yaml.Node {
	n := t.owned[path]
	if n == nil {
		if n = t.own(ThingAt(path)); n != nil {
			t.owned[path] = n
		}
	}
	return n
}

// own makes a value, or the first entry of a key, safe to change and returns it, or nil.
func (t *tree) own(at Thing) *yaml.Node {
	in := t.at(at.Path)
	if node.IsNull(in) {
		return nil
	}
	if indexes := t.find(at); len(indexes) > 0 {
		return node.OwnEntry(in, indexes[0])
	}
	if in.Kind != yaml.MappingNode || !t.mergedKeys(in)[at.Key] {
		return nil
	}
	delete(t.index, in) // node.Own adds the key
	return node.Own(in, at.Key)
}

// mergedKeys returns the keys of a mapping that has a merge key, including those that the merge key brings in.
func (t *tree) mergedKeys(in *yaml.Node) map[string]bool {
	keys, known := t.merged[in]
	if known || len(t.index[in]["<<"]) == 0 {
		return keys
	}
	keys = map[string]bool{}
	for _, key := range node.Keys(in) {
		keys[key] = true
	}
	t.merged[in] = keys
	t.steps += len(keys)
	return keys
}

// find returns the indexes of a value, or of the entries that have a key.
func (t *tree) find(at Thing) []int {
	in := t.at(at.Path)
	t.steps++
	if in == nil {
		return nil
	}
	if t.index[in] == nil {
		t.index[in] = indexesByKey(in, at.Path)
		t.steps += len(in.Content)
	}
	indexes := t.index[in][at.Key]
	t.steps += len(indexes)
	if !t.holed[in] {
		return indexes
	}
	return slices.DeleteFunc(slices.Clone(indexes), func(i int) bool { return in.Content[i] == hole })
}

// indexesByKey returns the indexes of the values or entries of the mapping or list at a path by their keys.
func indexesByKey(in *yaml.Node, path string) map[string][]int {
	indexes := make(map[string][]int, len(in.Content))
	switch in.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(in.Content); i += 2 {
			key := in.Content[i].Value
			indexes[key] = append(indexes[key], i+1)
		}
	case yaml.SequenceNode:
		for i, entry := range in.Content {
			key := KeyOf(path, entry)
			indexes[key] = append(indexes[key], i)
		}
	}
	return indexes
}

// put replaces the value or entry at an index.
func (t *tree) put(at Thing, i int, n *yaml.Node) {
	t.at(at.Path).Content[i] = n
	delete(t.owned, at.Inside())
}

// add adds a value or an entry.
func (t *tree) add(at Thing, n *yaml.Node) {
	in := t.made(at.Path)
	if in == nil {
		return
	}
	switch in.Kind {
	case yaml.MappingNode:
		node.Set(in, at.Key, n)
	case yaml.SequenceNode:
		in.Content = append(in.Content, n)
	}
	delete(t.index, in)
}

// made returns what a path leads to. It creates a mapping or list that is missing or null, but not the mapping around it.
func (t *tree) made(path string) *yaml.Node {
	if in := t.at(path); !node.IsNull(in) {
		return in
	}
	above := ThingAt(path)
	into := t.at(above.Path)
	if node.IsNull(into) || into.Kind != yaml.MappingNode {
		return nil
	}
	in := &yaml.Node{Kind: yaml.MappingNode}
	if pod.At(path).IsKeyed() {
		in.Kind = yaml.SequenceNode
	}
	node.Set(into, above.Key, in)
	delete(t.index, into)
	t.owned[path] = in
	return in
}

// remove removes the entry, or the value and its key, at an index.
func (t *tree) remove(at Thing, i int) {
	in := t.at(at.Path)
	in.Content[i] = hole
	if in.Kind == yaml.MappingNode {
		in.Content[i-1] = hole
	}
	t.holed[in] = true
	delete(t.owned, at.Inside())
}

// isEmpty reports whether the mapping or list at a path has nothing left.
func (t *tree) isEmpty(path string) bool {
	n := t.at(path)
	return n != nil && n.Kind != yaml.ScalarNode && !slices.ContainsFunc(n.Content, func(child *yaml.Node) bool { return child != hole })
}

// close closes the holes.
func (t *tree) close() {
	for in := range t.holed {
		in.Content = slices.DeleteFunc(in.Content, func(child *yaml.Node) bool { return child == hole })
		delete(t.index, in)
	}
	clear(t.holed)
}
