// Package node reads, compares, copies and changes YAML nodes. Functions that read follow aliases and merge keys.
// Functions that write never do, because that would change every other place that the alias is used in.
package node

import (
	"slices"
	"strconv"

	"pillion.dev/pillion/internal/text/escape"
)

// Resolve returns the node that an alias refers to, and any other node as it is.
func Resolve(n *Node) *Node {
	for n != nil && n.Kind == AliasNode {
		n = n.Content[0]
	}
	return n
}

// Get follows a path of keys and returns the value there, resolved, or nil.
func Get(n *Node, path ...string) *Node {
	for _, key := range path {
		m := Resolve(n)
		if n = OwnValue(m, key); n == nil && m != nil && merges(m) {
			n = OwnValue(merged(m), key)
		}
	}
	return Resolve(n)
}

// Text returns the scalar at the path as it is written, or the empty string.
func Text(n *Node, path ...string) string {
	if v := Get(n, path...); v != nil && v.Kind == ScalarNode && v.Tag != NullTag {
		return v.Value
	}
	return ""
}

// IsNull reports whether a node is nil or null.
func IsNull(n *Node) bool {
	n = Resolve(n)
	return n == nil || n.Kind == 0 || n.Kind == ScalarNode && n.Tag == NullTag
}

// List returns the entries of the sequence at the path, resolved, or nil. They are for reading: without aliases, they
// are the content of the sequence itself. Appending to them is safe.
func List(n *Node, path ...string) []*Node {
	s := Get(n, path...)
	switch {
	case s == nil || s.Kind != SequenceNode:
		return nil
	case !slices.ContainsFunc(s.Content, func(n *Node) bool { return n.Kind == AliasNode }):
		return slices.Clip(s.Content)
	}
	entries := make([]*Node, len(s.Content))
	for i, entry := range s.Content {
		entries[i] = Resolve(entry)
	}
	return entries
}

// Map returns the scalars of the mapping at the path, by key.
func Map(n *Node, path ...string) map[string]string {
	values := map[string]string{}
	for key, value := range Fields(Get(n, path...)) {
		values[key] = Text(value)
	}
	return values
}

// mostBrief is how many bytes Brief returns of a node.
const mostBrief = 200

// Brief returns a node as one short line for messages.
func Brief(n *Node) string {
	return escape.Clip(string(appendBrief(make([]byte, 0, mostBrief), n)), mostBrief)
}

// appendBrief appends the beginning of a node, at least as much as Brief returns.
func appendBrief(text []byte, n *Node) []byte {
	n = Resolve(n)
	ends := "[]"
	switch {
	case IsNull(n):
		return append(text, "null"...)
	case n.Kind == ScalarNode:
		return append(text, n.Value[:min(len(n.Value), mostBrief+1)]...)
	case n.Kind == MappingNode:
		ends = "{}"
	}
	text = append(text, ends[0])
	for i, child := range n.Content {
		switch {
		case len(text) > mostBrief:
			return text
		case n.Kind == MappingNode && i%2 == 1:
			text = append(text, ": "...)
		case i > 0:
			text = append(text, ", "...)
		}
		text = appendBrief(text, child)
	}
	return append(text, ends[1])
}

// Describe returns what a node is, for messages.
func Describe(n *Node) string {
	n = Resolve(n)
	switch {
	case IsNull(n):
		return "empty"
	case n.Kind == MappingNode:
		return "a mapping"
	case n.Kind == SequenceNode:
		return "a list"
	}
	value := escape.Clip(n.Value, 40)
	switch n.Tag {
	case IntTag, FloatTag:
		return "the number " + value
	case BoolTag:
		return "the boolean " + value
	default:
		return "the string " + strconv.Quote(value)
	}
}
