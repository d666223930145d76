package stamp

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// View finds things in a pod template that does not change, without searching a long mapping or list twice.
type View struct {
	template *yaml.Node
	nodes    map[string]*yaml.Node           // by path
	lists    map[*yaml.Node]map[string][]int // the indexes of the entries of a list by their keys
	maps     map[*yaml.Node]node.Lookup
}

// NewView returns a view of a pod template.
func NewView(template *yaml.Node) *View { return &View{template: node.Resolve(template)} }

// At returns what has a key in the mapping or list at a path of a template, or nil.
func At(template *yaml.Node, path, key string) *yaml.Node { return NewView(template).At(path, key) }

// At returns what has a key in the mapping or list at a path, or nil.
func (v *View) At(path, key string) *yaml.Node {
	if variable, separator, isJoined := asJoined(path); isJoined {
		return v.part(variable, separator, key)
	}
	return v.child(v.opened(path), path, key)
}

// opened returns what a path leads to.
func (v *View) opened(path string) *yaml.Node {
	if path == "" {
		return v.template
	}
	if n, known := v.nodes[path]; known {
		return n
	}
	above := ThingAt(path)
	n := v.At(above.Path, above.Key)
	if v.nodes == nil {
		v.nodes = map[string]*yaml.Node{}
	}
	v.nodes[path] = n
	return n
}

func (v *View) child(in *yaml.Node, path, key string) *yaml.Node {
	switch {
	case in == nil:
		return nil
	case in.Kind == yaml.MappingNode:
		return v.valuesOf(in).Get(key)
	case in.Kind == yaml.SequenceNode:
		if i := v.indexIn(in, path, key); i >= 0 {
			return node.Resolve(in.Content[i])
		}
	}
	return nil
}

func (v *View) valuesOf(m *yaml.Node) node.Lookup {
	values, known := v.maps[m]
	if known {
		return values
	}
	if values = node.Values(m); values.IsIndex() {
		if v.maps == nil {
			v.maps = map[*yaml.Node]node.Lookup{}
		}
		v.maps[m] = values
	}
	return values
}

// indexIn returns the index of the first entry with a key in the list at a path, or -1.
func (v *View) indexIn(list *yaml.Node, path, key string) int {
	const few = 8
	_, known := v.lists[list]
	if row := pod.At(path); !known && len(list.Content) <= few && key != "" && !strings.HasPrefix(key, hashMark) {
		return slices.IndexFunc(list.Content, func(entry *yaml.Node) bool {
			return row.Key(node.Resolve(entry)) == key
		})
	}
	if at := v.indexesIn(list, path, key); len(at) > 0 {
		return at[0]
	}
	return -1
}

// indexesIn returns the indexes of the entries with a key in the list at a path. The list may be nil.
func (v *View) indexesIn(list *yaml.Node, path, key string) []int {
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	indexes, known := v.lists[list]
	if !known {
		if v.lists == nil {
			v.lists = map[*yaml.Node]map[string][]int{}
		}
		indexes = indexesByKey(list, path)
		v.lists[list] = indexes
	}
	return indexes[key]
}

// FieldOf returns the field path of a thing, or of a field in it, such as image or resources.limits.cpu, as messages show it:
// spec.containers[1].image. It ends at the last step that is in the template.
func (v *View) FieldOf(thing Thing, name string) string {
	if variable, _, isJoined := asJoined(thing.Path); isJoined {
		return v.FieldOf(variable, valueKey)
	}
	steps := append(Steps(thing.Path), thing.Key)
	if name != "" {
		steps = append(steps, strings.Split(name, ".")...)
	}
	in, path := v.template, ""
	var field strings.Builder
	for _, key := range steps {
		if in != nil && in.Kind == yaml.SequenceNode {
			i := v.indexIn(in, path, key)
			if i < 0 {
				break
			}
			field.WriteString("[" + strconv.Itoa(i) + "]")
		} else if strings.ContainsAny(key, "./") {
			field.WriteString("[" + key + "]")
		} else {
			field.WriteString("." + key)
		}
		in, path = v.child(in, path, key), join(path, key)
	}
	return strings.TrimPrefix(field.String(), ".")
}

// entries returns the entries of the list at a path.
func (v *View) entries(path string, s *Stamp) []*yaml.Node {
	if variable, separator, isJoined := asJoined(path); isJoined {
		value := joinedValue{separator: separator}
		for _, j := range s.JoinedParts() {
			if j.Variable == variable {
				value.parts = append(value.parts, j.Part)
			}
		}
		return value.split(v.At(variable.Inside(), valueKey))
	}
	if list := v.opened(path); list != nil && list.Kind == yaml.SequenceNode {
		return list.Content
	}
	return nil
}

// Moved returns the keys of the entries of the list at a path that changed places with others from one version to the next. Of a value
// that parts were joined to, it looks for those of a stamp.
func Moved(before, after *View, path string, s *Stamp) map[string]bool {
	were, are := before.entries(path, s), after.entries(path, s)
	old := make(map[string]int, len(were))
	for i, entry := range were {
		old[KeyOf(path, entry)] = i
	}
	var keys []string
	var indexes []int // the old ones, in the new order
	for _, entry := range are {
		key := KeyOf(path, entry)
		if i, known := old[key]; known {
			keys, indexes = append(keys, key), append(indexes, i)
		}
	}
	moved := map[string]bool{}
	highest, lowest := -1, lowestBehind(indexes)
	for i, key := range keys {
		if indexes[i] < highest || indexes[i] > lowest[i] {
			moved[key] = true
		}
		highest = max(highest, indexes[i])
	}
	return moved
}

// lowestBehind returns for each of the indexes the lowest one behind it. Negative indexes do not count.
func lowestBehind(indexes []int) []int {
	all, lowest := make([]int, len(indexes)), math.MaxInt
	for i := len(indexes) - 1; i >= 0; i-- {
		all[i] = lowest
		if indexes[i] >= 0 {
			lowest = min(lowest, indexes[i])
		}
	}
	return all
}
