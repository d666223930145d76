package stamp

import (
	"strconv"
	"strings"

	"pillion.dev/pillion/internal/text/joined"
	"pillion.dev/pillion/internal/text/jsonpointer"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// View finds things in a pod template that does not change, without searching a long mapping or list twice.
type View struct {
	top   IndexedNode
	nodes [8]IndexedNode          // the first ones that were asked for
	count int                     // of nodes
	rest  map[string]*IndexedNode // the others by their paths; nil for most views
}

// NewView returns a view of a pod template.
func NewView(template *node.Node) *View {
	v := new(View)
	v.Reset(template)
	return v
}

// Reset makes it a view of another pod template.
func (v *View) Reset(template *node.Node) {
	clear(v.nodes[:v.count])
	v.top = IndexedNode{Node: node.Resolve(template)}
	v.count = 0
	v.rest = nil
}

// At returns what has a key in the mapping or list at a path of a template, or nil.
func At(template *node.Node, path, key string) *node.Node { return NewView(template).At(path, key) }

// At returns what has a key in the mapping or list at a path, or nil.
func (v *View) At(path, key string) *node.Node {
	variable, separator, isJoined := JoinedVariable(path)
	if !isJoined {
		return v.nodeAt(path).Get(key)
	}
	if value := v.At(variable.Inside(), valueKey); node.IsString(value) && joined.Has(value.Value, separator, key) {
		return node.String(key)
	}
	return nil
}

// Within returns what an address leads to inside of something at another address, or nil.
func Within(value *node.Node, of, at Address) *node.Node {
	path := of.Inside()
	for rest := strings.TrimPrefix(at.Inside(), path); rest != ""; {
		step, _, _ := strings.Cut(rest[1:], "/")
		in := IndexedNode{Path: path, Node: node.Resolve(value)}
		if value = in.Get(jsonpointer.Unescape(step)); value == nil {
			return nil
		}
		path += "/" + step
		rest = rest[1+len(step):]
	}
	return node.Resolve(value)
}

// Own returns what has a key in the mapping or list at a path as it is written there, without what merge keys bring in,
// or nil.
func (v *View) Own(at Address) *node.Node {
	in := v.nodeAt(at.Path)
	if in.Kind() != node.SequenceNode {
		return node.OwnValue(in.Node, at.Key)
	}
	if i := in.first(at.Key); i >= 0 {
		return in.Node.Content[i]
	}
	return nil
}

// List returns the entries of the list at a path.
func (v *View) List(path string) []*node.Node { return node.List(v.nodeAt(path).Node) }

// nodeAt returns what a path leads to.
func (v *View) nodeAt(path string) *IndexedNode {
	if path == "" {
		return &v.top
	}
	for i := range v.nodes[:v.count] {
		if v.nodes[i].Path == path {
			return &v.nodes[i]
		}
	}
	if p := v.rest[path]; p != nil {
		return p
	}
	above := AddressOf(path)
	n := v.At(above.Path, above.Key)
	if v.count < len(v.nodes) {
		v.nodes[v.count] = IndexedNode{Path: path, Node: n}
		v.count++
		return &v.nodes[v.count-1]
	}
	if v.rest == nil {
		v.rest = map[string]*IndexedNode{}
	}
	v.rest[path] = &IndexedNode{Path: path, Node: n}
	return v.rest[path]
}

// FieldOf returns the field path of a thing, or of a field in it, such as image or resources.limits.cpu, as messages
// show it: spec.containers[1].image. It ends at the last step that is in the template.
func (v *View) FieldOf(thing Address, name string) string {
	if variable, _, isJoined := JoinedVariable(thing.Path); isJoined {
		return v.FieldOf(variable, valueKey)
	}
	steps := append(Steps(thing.Path), thing.Key)
	if name != "" {
		steps = append(steps, strings.Split(name, ".")...)
	}
	path := ""
	var field strings.Builder
	for i, key := range steps {
		if i > 0 {
			path = join(path, steps[i-1])
		}
		if in := v.nodeAt(path); in.Kind() == node.SequenceNode {
			index := in.first(key)
			if index < 0 {
				break
			}
			field.WriteString("[" + strconv.Itoa(index) + "]")
		} else if strings.ContainsAny(key, "./") {
			field.WriteString("[" + key + "]")
		} else {
			field.WriteString("." + key)
		}
	}
	return strings.TrimPrefix(field.String(), ".")
}
