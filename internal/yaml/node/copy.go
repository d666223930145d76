package node

import (
	"cmp"
	"slices"
	"strconv"
)

// Copy returns a deep copy. Its nodes keep their identity. Aliases inside of the copy refer to nodes of the copy.
func Copy(n *Node) *Node {
	if n == nil {
		return nil
	}
	return copyTree(n, map[*Node]*Node{})
}

// copyTree is given the copies of the anchored nodes so far: an alias comes behind its anchor.
func copyTree(n *Node, anchored map[*Node]*Node) *Node {
	c := *n
	if n.HasAnchor() {
		anchored[n] = &c
	}
	c.Content = slices.Clone(n.Content)
	for i, child := range n.Content {
		if n.Kind == AliasNode {
			c.Content[i] = cmp.Or(anchored[child], child)
		} else {
			c.Content[i] = copyTree(child, anchored)
		}
	}
	return &c
}

// Fresh returns a deep copy with new nodes, without comments, anchors or aliases. A value that is a boolean only in YAML 1.1,
// such as yes, becomes one for every parser; otherwise it would be written in quotes.
func Fresh(n *Node) *Node {
	return fresh(n, false, func(word string) string {
		value, _ := boolWord(word)
		return strconv.FormatBool(value)
	})
}

// writtenOut returns a deep copy, like Fresh, of what an alias refers to. Every value stays as it is written, so that it means the
// same to every parser as before.
func writtenOut(n *Node) *Node {
	return fresh(n, false, func(word string) string { return word })
}

// fresh returns a deep copy, in which boolean gives the values that are booleans only in YAML 1.1. Keys are never booleans.
func fresh(n *Node, isKey bool, boolean func(word string) string) *Node {
	if n = Resolve(n); n == nil {
		return nil
	}
	to := &Node{Kind: n.Kind, Style: n.Style, Tag: n.Tag, Value: n.Value}
	if !isKey && IsPlainBool(n) {
		to.Tag, to.Value = BoolTag, boolean(n.Value)
	}
	if len(n.Content) > 0 {
		to.Content = make([]*Node, len(n.Content))
	}
	for i, child := range n.Content {
		to.Content[i] = fresh(child, isKey || n.Kind == MappingNode && i%2 == 0, boolean)
	}
	return to
}

// String returns a new string scalar.
func String(value string) *Node {
	return &Node{Kind: ScalarNode, Tag: StrTag, Value: value}
}

// StringLike returns a new string scalar in the quotes of another scalar, which may be nil. Without quotes it is still a string for every
// parser: only a node that was read can be a boolean in YAML 1.1, such as y, so a string must not be changed in place.
func StringLike(other *Node, value string) *Node {
	n := String(value)
	if other = Resolve(other); other != nil {
		n.Style = other.Style & (SingleQuotedStyle | DoubleQuotedStyle)
	}
	return n
}

// Sequence returns a new block sequence.
func Sequence(entries ...*Node) *Node {
	return &Node{Kind: SequenceNode, Tag: SeqTag, Content: entries}
}

// Mapping returns a new block mapping of keys and values in turn.
func Mapping(content ...*Node) *Node {
	return &Node{Kind: MappingNode, Tag: MapTag, Content: content}
}
