package stamp

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// View finds things in a pod template that does not change meanwhile, by their paths. What leads to several of them is
// looked through once.
type View struct {
	nodes map[string]*yaml.Node           // by path; JSON in annotations is read
	lists map[*yaml.Node]map[string][]int // where in a list the entries of a key stand
	maps  map[*yaml.Node]func(string) *yaml.Node
}

// NewView is a view of a pod template.
func NewView(template *yaml.Node) *View {
	return &View{
		nodes: map[string]*yaml.Node{"": node.Resolve(template)},
		lists: map[*yaml.Node]map[string][]int{}, maps: map[*yaml.Node]func(string) *yaml.Node{},
	}
}

// At is what stands at a key of the mapping or list at a path, or nil.
func At(template *yaml.Node, path, key string) *yaml.Node { return NewView(template).At(path, key) }

// At is what stands at a key of the mapping or list at a path, or nil.
func (v *View) At(path, key string) *yaml.Node { return v.child(v.opened(path), last(path), key) }

// opened is what a path leads to, the object where that is a text of JSON.
func (v *View) opened(path string) *yaml.Node {
	if n, known := v.nodes[path]; known {
		return n
	}
	above, key := parent(path)
	n := v.At(above, key)
	if held := object(n); held != nil {
		n = held
	}
	v.nodes[path] = n
	return n
}

func (v *View) child(in *yaml.Node, list, key string) *yaml.Node {
	switch {
	case in == nil:
		return nil
	case in.Kind == yaml.MappingNode:
		if v.maps[in] == nil {
			v.maps[in] = node.Values(in)
		}
		return v.maps[in](key)
	case in.Kind == yaml.SequenceNode:
		if i := v.indexIn(in, list, key); i >= 0 {
			return node.Resolve(in.Content[i])
		}
	}
	return nil
}

// indexIn is where in a list the first entry of a key stands, or -1.
func (v *View) indexIn(in *yaml.Node, list, key string) int {
	if v.lists[in] == nil {
		v.lists[in] = indexOf(list, in)
	}
	if at := v.lists[in][key]; len(at) > 0 {
		return at[0]
	}
	return -1
}
