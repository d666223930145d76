package export

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// Patch is an entry of a kustomization's patches, which are those of a Flux Kustomization.
type Patch struct {
	// Why is for the reader of the patch.
	Why string
	// Body is a strategic merge patch, or a list of JSON patch operations.
	Body *yaml.Node
	// Target says which objects it is for.
	Target Target
}

// Target is kustomize's selector of objects: all but the label selector are regular expressions
// that match the whole text.
type Target struct {
	Group, Version, Kind, Name, Namespace, LabelSelector string
}

// operations is a JSON patch under construction.
type operations struct{ list []*yaml.Node }

func (o *operations) test(path string, value *yaml.Node) {
	o.append("test", pair("path", node.String(path)), pair("value", value))
}

// absent stops the build where there is something. What holds it must be there.
func (o *operations) absent(path string) { o.test(path, null()) }

func (o *operations) copy(from, to string) {
	o.append("copy", pair("from", node.String(from)), pair("path", node.String(to)))
}

func (o *operations) move(from, to string) {
	o.append("move", pair("from", node.String(from)), pair("path", node.String(to)))
}

// add is for what stands on one line.
func (o *operations) add(path string, value *yaml.Node) {
	o.append("add", pair("path", node.String(path)), pair("value", value))
}

func (o *operations) remove(path string) { o.append("remove", pair("path", node.String(path))) }

// put adds a value, which stands over several lines where it is not a word.
func (o *operations) put(path string, value *yaml.Node) {
	o.append("add", pair("path", node.String(path)), pair("value", legible(value)))
	if value.Kind != yaml.ScalarNode && len(value.Content) > 0 {
		o.list[len(o.list)-1].Style = 0
	}
}

func (o *operations) append(op string, pairs ...[]*yaml.Node) {
	operation := node.Mapping(pair("op", node.String(op))...)
	for _, p := range pairs {
		operation.Content = append(operation.Content, p...)
	}
	operation.Style = yaml.FlowStyle
	o.list = append(o.list, operation)
}

func (o *operations) body() *yaml.Node { return node.Sequence(o.list...) }

func pair(key string, value *yaml.Node) []*yaml.Node { return []*yaml.Node{node.String(key), value} }

func null() *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
}

func flowMapping(content ...*yaml.Node) *yaml.Node {
	m := node.Mapping(content...)
	m.Style = yaml.FlowStyle
	return m
}

// pointer is a path in the form of a JSON patch; the keys are escaped.
func pointer(keys ...string) string {
	var b strings.Builder
	for _, key := range keys {
		b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key))
	}
	return b.String()
}

func entry(list string, i int) string { return list + "/" + strconv.Itoa(i) }

// mappingAt is the mapping at a path, made where it is missing.
func mappingAt(root *yaml.Node, keys ...string) *yaml.Node {
	for _, key := range keys {
		next := node.Get(root, key)
		if next == nil {
			next = node.Mapping()
			node.Set(root, key, next)
		}
		root = next
	}
	return root
}
