package export

import (
	"encoding/json"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/emit"
	"pillion.dev/pillion/internal/yaml/node"
)

// asYAML11 returns a copy of a payload in a form that kustomize reads as Pillion does. Parts of kustomize read YAML 1.1, where
// yes is a boolean and 0o14 is a string.
func asYAML11(n *yaml.Node) *yaml.Node {
	n = node.Fresh(n)
	convertToYAML11(n)
	return n
}

func convertToYAML11(n *yaml.Node) {
	for _, child := range n.Content {
		convertToYAML11(child)
	}
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	if n.Kind != yaml.ScalarNode || n.Style&quoted != 0 {
		return
	}
	if n.ShortTag() == "!!str" {
		if !emit.SafePlain(n.Value, true) {
			n.Style = yaml.DoubleQuotedStyle
		}
		return
	}
	var value any
	if n.Decode(&value) == nil {
		if text, err := json.Marshal(value); err == nil {
			n.Value = string(text)
		}
	}
}
