package injector

import (
	"strconv"

	"go.yaml.in/yaml/v3"
)

// anyNode decodes from any node with a meaning in JSON, and ignores it.
type anyNode struct{}

func (*anyNode) UnmarshalJSON([]byte) error { return nil }

// isPlainJSON reports whether a node surely has a meaning in JSON: short mappings of different words, lists, strings, and booleans
// and numbers in their usual form. Nearly every config is made of these, and decoding it only to see this takes as long as the rest.
func isPlainJSON(n *yaml.Node) bool {
	switch n.Kind {
	case yaml.MappingNode:
		return n.Tag == "!!map" && hasPlainKeys(n) && allPlainJSON(n.Content)
	case yaml.SequenceNode:
		return n.Tag == "!!seq" && allPlainJSON(n.Content)
	case yaml.ScalarNode:
		return isPlainScalar(n)
	}
	return false
}

func allPlainJSON(nodes []*yaml.Node) bool {
	for _, n := range nodes {
		if !isPlainJSON(n) {
			return false
		}
	}
	return true
}

// hasPlainKeys reports whether the keys of a short mapping are different strings.
func hasPlainKeys(mapping *yaml.Node) bool {
	const most = 20 // pairs, because each key is compared with each other
	if len(mapping.Content) > 2*most {
		return false
	}
	for i := 0; i < len(mapping.Content); i += 2 {
		key := mapping.Content[i]
		if key.Kind != yaml.ScalarNode || key.Tag != "!!str" {
			return false
		}
		for j := 0; j < i; j += 2 {
			if mapping.Content[j].Value == key.Value {
				return false
			}
		}
	}
	return true
}

func isPlainScalar(n *yaml.Node) bool {
	switch n.Tag {
	case "!!str":
		return true
	case "!!bool":
		return n.Value == "true" || n.Value == "false"
	case "!!int":
		number, err := strconv.Atoi(n.Value)
		return err == nil && strconv.Itoa(number) == n.Value
	}
	return false
}
