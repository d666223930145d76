package node

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Equal reports whether two nodes have the same value. Quotes, the order of keys, comments, keys that are null and
// aliases do not matter; the order of lists and the types of scalars do.
func Equal(a, b *Node) bool {
	a, b = Resolve(a), Resolve(b)
	switch {
	case a == b:
		return true
	case IsNull(a) || IsNull(b):
		return IsNull(a) && IsNull(b)
	case a.Kind != b.Kind:
		return false
	case a.Kind == MappingNode:
		var roomA, roomB [fewKeys]pair
		return slices.EqualFunc(appendSorted(roomA[:0], a), appendSorted(roomB[:0], b), func(x, y pair) bool {
			return x.key == y.key && Equal(x.value, y.value)
		})
	case a.Kind == ScalarNode: // 0x10 and 16 are one number, yes and true are one boolean, and .nan is not equal to itself
		return IsString(a) == IsString(b) && (a.Value == b.Value || !IsString(a) && Scalar(a) == Scalar(b))
	}
	return slices.EqualFunc(a.Content, b.Content, Equal)
}

// AppendCanonical appends the value of a node as text: two nodes have the same text if and only if they are Equal.
func AppendCanonical(dst []byte, n *Node) []byte {
	n = Resolve(n)
	switch {
	case IsNull(n):
		return append(dst, '~')
	case n.Kind == ScalarNode:
		return appendScalar(dst, n)
	case n.Kind == SequenceNode:
		dst = append(dst, '[')
		for _, entry := range n.Content {
			dst = AppendCanonical(dst, entry)
		}
		return append(dst, ']')
	}
	dst = append(dst, '{')
	var room [fewKeys]pair
	for _, field := range appendSorted(room[:0], n) {
		dst = AppendCanonical(appendText(dst, field.key), field.value)
	}
	return append(dst, '}')
}

func appendScalar(dst []byte, n *Node) []byte {
	if IsString(n) { // nearly all of them
		return appendText(append(dst, n.Tag.String()...), n.Value)
	}
	value, tag := Scalar(n), n.Tag
	if _, isInt := value.(int); isInt { // 0x10 and 16 are one number, and so are 1.0 and 1
		tag = IntTag
	}
	return appendText(append(dst, tag.String()...), fmt.Sprintf("%T%v", value, value))
}

// appendText appends a text behind its length, so that two texts in a row are never the same as two others.
func appendText(dst []byte, text string) []byte {
	dst = append(strconv.AppendInt(dst, int64(len(text)), 10), ':')
	return append(dst, text...)
}

// pair is a key of a mapping and its value.
type pair struct {
	key   string
	value *Node
}

// appendSorted appends the fields of a mapping that are not null, by their keys.
func appendSorted(dst []pair, m *Node) []pair {
	for key, value := range Fields(m) {
		if !IsNull(value) {
			dst = append(dst, pair{key, value})
		}
	}
	slices.SortFunc(dst, func(a, b pair) int { return strings.Compare(a.key, b.key) })
	return dst
}

// Shared counts the nodes at the front and at the back of two lists that are the same ones, not just equal. Whatever
// changed is in between.
func Shared(a, b []*Node) (front, back int) {
	most := min(len(a), len(b))
	for front < most && a[front] == b[front] {
		front++
	}
	for back < most-front && a[len(a)-1-back] == b[len(b)-1-back] {
		back++
	}
	return front, back
}
