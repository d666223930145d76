package manifest

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// identify reads the apiVersion and kind of an object. If it has one of them twice, with different values, or by
// a key that is an alias, the object is broken.
func (c *treeCheck) identify(p *part, object *yaml.Node) {
	p.apiVersion, p.kind = nameIn(node.Get(object, "apiVersion")), nameIn(node.Get(object, "kind"))
	for i := 0; i+1 < len(object.Content) && p.broken == nil; i += 2 {
		key, value := object.Content[i], nameIn(object.Content[i+1])
		switch node.Resolve(key).Value {
		case "apiVersion", "kind", "items":
			if key.Kind == yaml.AliasNode {
				p.broken = c.checkKey(key)
			}
		}
		if key.Kind == yaml.ScalarNode && (key.Value == "apiVersion" && value != p.apiVersion || key.Value == "kind" && value != p.kind) {
			p.broken = c.duplicate(key)
		}
	}
}

// nameIn returns the string in a node, or the empty string if the node is something else, such as 5 or null.
func nameIn(n *yaml.Node) string {
	name, _ := node.Scalar(n).(string)
	return name
}

// listKeys refuses a list that repeats a key by which the stream is read and written, or that has a key which may be one of them.
func (c *treeCheck) listKeys(list *yaml.Node) error {
	seen := map[string]bool{}
	for i := 0; i+1 < len(list.Content); i += 2 {
		key := list.Content[i]
		if key.Kind != yaml.ScalarNode {
			return c.checkKey(key)
		}
		switch key.Value {
		case "apiVersion", "kind", "items", "functionConfig", "results":
			if seen[key.Value] {
				return c.duplicate(key)
			}
			seen[key.Value] = true
		}
	}
	return nil
}
