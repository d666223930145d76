package node

import (
	"fmt"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// AppendCanonical appends the value of a node as text: two nodes have the same text if and only if they are Equal.
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

// sortedFields returns the keys of a mapping in order.
func sortedFields(n *yaml.Node) []string {
	if hasMergeKey(n) {
		return slices.Sorted(slices.Values(Keys(n)))
	}
	keys := make([]string, 0, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
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

// appendText appends a text behind its length, so that two texts in a row are never the same as two others.
func appendText(dst []byte, text string) []byte {
	dst = append(strconv.AppendInt(dst, int64(len(text)), 10), ':')
	return append(dst, text...)
}
