package export

import (
	"encoding/json"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/emit"
	"pillion.dev/pillion/internal/yaml/node"
)

// legible is a payload that kustomize reads as Pillion does. Parts of kustomize know an older
// YAML, in which yes is true and 0o14 is a text.
func legible(n *yaml.Node) *yaml.Node {
	n = node.Fresh(n)
	makeLegible(n)
	return n
}

func makeLegible(n *yaml.Node) {
	for _, child := range n.Content {
		makeLegible(child)
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
