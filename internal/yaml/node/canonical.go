package node

import (
	"fmt"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// AppendCanonical appends what a node says to Kubernetes as text: two nodes have the same text where Equal takes them for equal, and
// only there.
func AppendCanonical(dst []byte, n *yaml.Node) []byte {
	n = Resolve(n)
	switch {
	case IsNull(n):
		return append(dst, '~')
	case n.Kind == yaml.MappingNode:
		dst = append(dst, '{')
		value := Values(n)
		for _, key := range sortedFields(n) {
			if value := value(key); !IsNull(value) {
				dst = AppendCanonical(appendText(dst, key), value)
			}
		}
		return append(dst, '}')
	case n.Kind == yaml.SequenceNode:
		dst = append(dst, '[')
		for _, entry := range n.Content {
			dst = AppendCanonical(dst, entry)
		}
		return append(dst, ']')
	default:
		return appendScalar(dst, n)
	}
}

// sortedFields are the keys of a mapping.
func sortedFields(n *yaml.Node) []string {
	keys := make([]string, 0, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Tag == "!!merge" {
			keys = Keys(n)
			break
		}
		keys = append(keys, n.Content[i].Value)
	}
	slices.Sort(keys)
	return keys
}

func appendScalar(dst []byte, n *yaml.Node) []byte {
	tag, value := n.ShortTag(), Scalar(n) // 0x10 and 16 are one number, yes and true are one boolean
	switch text := value.(type) {
	case string:
		return appendText(append(dst, tag...), text)
	case bool:
		tag = "!!bool"
	case int:
		tag = "!!int"
	}
	return appendText(append(dst, tag...), fmt.Sprintf("%T%v", value, value))
}

// appendText writes the length in front, so that texts do not run into each other.
func appendText(dst []byte, text string) []byte {
	dst = append(strconv.AppendInt(dst, int64(len(text)), 10), ':')
	return append(dst, text...)
}
