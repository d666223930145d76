package export

import (
	"strconv"

	"pillion.dev/pillion/internal/yaml/node"
)

// operations is a list of JSON patch operations.
type operations struct{ list []*node.Node }

// test adds an operation that stops the build unless the value at path is the given one.
func (o *operations) test(path string, value *node.Node) {
	o.append("test", "path", path, node.String("value"), value)
}

// absent adds an operation that stops the build if there is a value at path. The parent of path must exist.
func (o *operations) absent(path string) { o.test(path, null()) }

func (o *operations) copy(from, to string) {
	o.append("copy", "from", from, node.String("path"), node.String(to))
}

func (o *operations) move(from, to string) {
	o.append("move", "from", from, node.String("path"), node.String(to))
}

func (o *operations) remove(path string) { o.append("remove", "path", path) }

// add adds an operation that adds a short value, written on one line.
func (o *operations) add(path string, value *node.Node) {
	o.append("add", "path", path, node.String("value"), value)
}

// addPayload adds an operation that adds a part of the payload, written on several lines unless it is a scalar or empty.
func (o *operations) addPayload(path string, value *node.Node) {
	o.add(path, asYAML11(value))
	if value.Kind != node.ScalarNode && len(value.Content) > 0 {
		o.list[len(o.list)-1].Style = 0
	}
}

// append adds an operation with a field, and the keys and values of more.
func (o *operations) append(op, field, value string, more ...*node.Node) {
	operation := flowMapping(node.String("op"), node.String(op), node.String(field), node.String(value))
	operation.Content = append(operation.Content, more...)
	o.list = append(o.list, operation)
}

func (o *operations) body() *node.Node { return node.Sequence(o.list...) }

// entryAt returns a JSON pointer to an entry of a list.
func entryAt(list string, i int) string { return list + "/" + strconv.Itoa(i) }

func null() *node.Node { return &node.Node{Kind: node.ScalarNode, Tag: node.NullTag, Value: "null"} }

func flowMapping(content ...*node.Node) *node.Node {
	m := node.Mapping(content...)
	m.Style = node.FlowStyle
	return m
}
