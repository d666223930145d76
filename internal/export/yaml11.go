package export

import (
	"encoding/json"

	"pillion.dev/pillion/internal/yaml/emit"
	"pillion.dev/pillion/internal/yaml/node"
)

// asYAML11 returns a copy of a payload in a form that kustomize reads as Pillion does. Parts of kustomize read YAML 1.1, where
// yes is a boolean and 0o14 is a string.
func asYAML11(n *node.Node) *node.Node {
	n = node.Fresh(n)
	convertToYAML11(n)
	return n
}

func convertToYAML11(n *node.Node) {
	for _, child := range n.Content {
		convertToYAML11(child)
	}
	const quoted = node.SingleQuotedStyle | node.DoubleQuotedStyle | node.LiteralStyle | node.FoldedStyle
	if n.Kind != node.ScalarNode || n.Style&quoted != 0 {
		return
	}
	if n.ShortTag() == node.StrTag {
		if !emit.SafePlain(n.Value, true) {
			n.Style = node.DoubleQuotedStyle
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
