package manifest

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/node"
)

// identify reads what an object says it is. Where it says so twice, and not the same, it is broken: it may be a workload.
func (c *treeCheck) identify(p *part, object *yaml.Node) {
	p.apiVersion, p.kind = node.Text(object, "apiVersion"), node.Text(object, "kind")
	for i := 0; i+1 < len(object.Content) && p.broken == nil; i += 2 {
		key, value := object.Content[i], node.Text(object.Content[i+1])
		if key.Kind == yaml.ScalarNode && (key.Value == "apiVersion" && value != p.apiVersion || key.Value == "kind" && value != p.kind) {
			p.broken = c.duplicate(key)
		}
	}
}

// listKeys refuses a list that has one of the keys twice that the stream is read and written by.
func (c *treeCheck) listKeys(list *yaml.Node) error {
	seen := map[string]bool{}
	for i := 0; i+1 < len(list.Content); i += 2 {
		key := list.Content[i]
		if key.Kind != yaml.ScalarNode {
			continue
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
