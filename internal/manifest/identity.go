package manifest

import (
	"cmp"
	"strings"

	"pillion.dev/pillion/internal/yaml/node"
)

// identify reads the apiVersion and kind of an object. If it has one of them twice, with different values, or items twice, also by
// merge keys, or one of them by a key that is an alias or encoded, the object is broken: readers differ in what they take.
func (c *treeCheck) identify(p *part, object *node.Node) {
	p.APIVersion, p.Kind = nameIn(node.Get(object, "apiVersion")), nameIn(node.Get(object, "kind"))
	p.Name = nameIn(node.Get(object, "metadata", "name"))
	items := 0
	for _, m := range append([]*node.Node{object}, node.Sources(object)...) {
		for i := 0; i+1 < len(m.Content) && p.Broken == nil; i += 2 {
			key, value := m.Content[i], nameIn(m.Content[i+1])
			name, _ := node.KeyName(node.Resolve(key))
			switch name {
			case "items":
				items++
			case "apiVersion", "kind":
			default:
				continue
			}
			p.Broken = c.checkKey(key)
			if items > 1 || name == "apiVersion" && value != p.APIVersion || name == "kind" && value != p.Kind {
				p.Broken = cmp.Or(p.Broken, c.duplicate(key))
			}
		}
	}
}

// nameIn returns the string in a node, or the empty string if the node is something else, such as 5 or null.
func nameIn(n *node.Node) string {
	if n != nil && n.Kind == node.ScalarNode && n.Tag == node.StrTag {
		return n.Value // as nearly always, without an allocation
	}
	name, _ := node.Scalar(n).(string)
	return name
}

// listKeys refuses a list that repeats a key by which the stream is read and written, or that has a key which may be one of them.
func (c *treeCheck) listKeys(kind string, list *node.Node) error {
	if !strings.HasSuffix(kind, "List") {
		return nil
	}
	for i := 0; i+1 < len(list.Content); i += 2 {
		key := list.Content[i]
		if key.Kind != node.ScalarNode {
			return c.checkKey(key)
		}
		switch key.Value {
		case "apiVersion", "kind", "items", "functionConfig", "results":
			if node.Index(list, key.Value) < i {
				return c.duplicate(key)
			}
		}
	}
	return nil
}
