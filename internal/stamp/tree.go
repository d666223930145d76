package stamp

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// tree finds its way in a template that is safe to change, and makes what it leads to safe to
// change. Nothing is searched for twice: a stamp may speak of thousands of places.
type tree struct {
	owned  map[string]*yaml.Node           // by path
	index  map[*yaml.Node]map[string][]int // of mappings and lists: where the values and entries stand, by their keys
	merged map[*yaml.Node]map[string]bool  // of mappings with merge keys: all their keys
	holed  map[*yaml.Node]struct{}         // those that something was taken out of
	steps  int                             // how many nodes were looked at, for the tests
}

// gone takes the place of what was taken out, so that the rest stays where it is, until close.
var gone = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!gone", Value: "\x00"} // no key of a text is that

func newTree(template *yaml.Node) *tree {
	return &tree{
		owned: map[string]*yaml.Node{"": template},
		index: map[*yaml.Node]map[string][]int{}, merged: map[*yaml.Node]map[string]bool{}, holed: map[*yaml.Node]struct{}{},
	}
}

// at is what a path leads to, or nil.
func (t *tree) at(path string) *yaml.Node {
	if n, known := t.owned[path]; known {
		return n
	}
	above, key := parent(path)
	n := t.child(t.at(above), last(above), key)
	if n != nil {
		t.owned[path] = n
	}
	return n
}

// child is the value or the first entry of a key in a mapping or list, safe to change, or nil.
func (t *tree) child(in *yaml.Node, list, key string) *yaml.Node {
	if node.IsNull(in) {
		return nil
	}
	if at := t.findIn(in, list, key); len(at) > 0 {
		return node.OwnEntry(in, at[0])
	}
	if in.Kind != yaml.MappingNode || !t.merges(in)[key] {
		return nil
	}
	delete(t.index, in) // what a merge key brings in becomes its own
	return node.Own(in, key)
}

// merges are the keys that a mapping has, those included that merge keys bring in, or nothing where it
// has no merge key.
func (t *tree) merges(in *yaml.Node) map[string]bool {
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

// find is where the value or the entries of a key stand in the mapping or list at a path.
func (t *tree) find(path, key string) []int { return t.findIn(t.at(path), last(path), key) }

func (t *tree) findIn(in *yaml.Node, list, key string) []int {
	t.steps++
	if in == nil {
		return nil
	}
	known := t.index[in]
	if known == nil {
		known = indexOf(list, in)
		t.index[in] = known
		t.steps += len(in.Content)
	}
	all := known[key]
	t.steps += len(all)
	if _, holed := t.holed[in]; !holed {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(i int) bool { return in.Content[i] == gone })
}

func indexOf(list string, in *yaml.Node) map[string][]int {
	index := make(map[string][]int, len(in.Content))
	switch in.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(in.Content); i += 2 {
			index[in.Content[i].Value] = append(index[in.Content[i].Value], i+1)
		}
	case yaml.SequenceNode:
		for i, entry := range in.Content {
			key := KeyOf(list, node.Resolve(entry))
			index[key] = append(index[key], i)
		}
	}
	return index
}

// put gives an entry or a value another node.
func (t *tree) put(path, key string, i int, n *yaml.Node) {
	t.at(path).Content[i] = n
	delete(t.owned, join(path, key))
}

// add puts in what was not there.
func (t *tree) add(path, key string, n *yaml.Node) {
	in := t.made(path)
	if in == nil {
		return
	}
	switch in.Kind {
	case yaml.MappingNode:
		node.Set(in, key, n)
	case yaml.SequenceNode:
		in.Content = append(in.Content, n)
	}
	delete(t.index, in)
}

// made is what a path leads to. A mapping or list that is missing or null is made, but not what it stands in.
func (t *tree) made(path string) *yaml.Node {
	in := t.at(path)
	if !node.IsNull(in) {
		return in
	}
	above, name := parent(path)
	into := t.at(above)
	if node.IsNull(into) || into.Kind != yaml.MappingNode {
		return nil
	}
	in = &yaml.Node{Kind: yaml.MappingNode}
	if isList(path) {
		in.Kind = yaml.SequenceNode
	}
	node.Set(into, name, in)
	delete(t.index, into)
	t.owned[path] = in
	return in
}

// remove takes out an entry, or a key with its value.
func (t *tree) remove(path, key string, i int) {
	in := t.at(path)
	in.Content[i] = gone
	if in.Kind == yaml.MappingNode {
		in.Content[i-1] = gone
	}
	t.holed[in] = struct{}{}
	delete(t.owned, join(path, key))
}

// isEmpty tells whether nothing is left in the mapping or list at a path.
func (t *tree) isEmpty(path string) bool {
	n := t.at(path)
	return n != nil && n.Kind != yaml.ScalarNode && !slices.ContainsFunc(n.Content, func(child *yaml.Node) bool { return child != gone })
}

// close closes the gaps that were left.
func (t *tree) close() {
	for in := range t.holed {
		in.Content = slices.DeleteFunc(in.Content, func(child *yaml.Node) bool { return child == gone })
		delete(t.index, in)
	}
	clear(t.holed)
}
