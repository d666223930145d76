package node

import (
	"fmt"
	"slices"
	"strconv"
)

// AppendCanonical appends the value of a node as text: two nodes have the same text if and only if they are Equal.
func AppendCanonical(dst []byte, n *Node) []byte {
	n = Resolve(n)
	switch {
	case IsNull(n):
		return append(dst, '~')
	case n.Kind == MappingNode:
		return append(appendFields(append(dst, '{'), n), '}')
	case n.Kind == SequenceNode:
		dst = append(dst, '[')
		for _, entry := range n.Content {
			dst = AppendCanonical(dst, entry)
		}
		return append(dst, ']')
	default:
		return appendScalar(dst, n)
	}
}

// appendFields appends the fields of a mapping in the order of their keys.
func appendFields(dst []byte, m *Node) []byte {
	var room [fewKeys]string
	keys := room[:0]
	for key := range Fields(m) {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	values := Values(m)
	for _, key := range keys {
		if value := values.Get(key); !IsNull(value) {
			dst = AppendCanonical(appendText(dst, key), value)
		}
	}
	return dst
}

func appendScalar(dst []byte, n *Node) []byte {
	tag := n.Tag
	if IsString(n) { // nearly all of them
		return appendText(append(dst, tag.String()...), n.Value)
	}
	value := Scalar(n)
	switch value.(type) { // 0x10 and 16 are one number, yes and true are one boolean
	case string:
		return appendText(append(dst, tag.String()...), value.(string))
	case bool:
		tag = BoolTag
	case int:
		tag = IntTag
	}
	return appendText(append(dst, tag.String()...), fmt.Sprintf("%T%v", value, value))
}

// appendText appends a text behind its length, so that two texts in a row are never the same as two others.
func appendText(dst []byte, text string) []byte {
	dst = append(strconv.AppendInt(dst, int64(len(text)), 10), ':')
	return append(dst, text...)
}
