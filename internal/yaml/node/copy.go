package node

import (
	"strconv"

	"go.yaml.in/yaml/v3"
)

// Copy is a deep copy that keeps positions, so that a changed copy can be held
// against its original. Aliases inside the copy point into the copy.
func Copy(n *yaml.Node) *yaml.Node {
	copies := map[*yaml.Node]*yaml.Node{}
	c := copyTree(n, copies)
	relink(c, copies)
	return c
}

func copyTree(n *yaml.Node, copies map[*yaml.Node]*yaml.Node) *yaml.Node {
	if n == nil {
		return nil
	}
	c := *n
	if n.Anchor != "" {
		copies[n] = &c
	}
	if n.Content != nil {
		c.Content = make([]*yaml.Node, len(n.Content))
		for i, child := range n.Content {
			c.Content[i] = copyTree(child, copies)
		}
	}
	return &c
}

func relink(n *yaml.Node, copies map[*yaml.Node]*yaml.Node) {
	if n == nil {
		return
	}
	if copied, ok := copies[n.Alias]; n.Alias != nil && ok {
		n.Alias = copied
	}
	for _, child := range n.Content {
		relink(child, copies)
	}
}

// Fresh is a deep copy without positions, comments, anchors or aliases: text that is
// new wherever it is put. A value that is a boolean to kubectl alone, such as yes, becomes one
// to every parser; otherwise it would be written in quotes.
func Fresh(n *yaml.Node) *yaml.Node {
	return fresh(n, func(c *yaml.Node) {
		value, _ := boolWord(c.Value)
		c.Tag, c.Value = "!!bool", strconv.FormatBool(value)
	})
}

// writtenOut is Fresh for what an alias stands for: every value stays as it is written, so that it means the same to
// every parser as before.
func writtenOut(n *yaml.Node) *yaml.Node {
	return fresh(n, func(c *yaml.Node) { c.Tag = "!!bool" })
}

// fresh is a deep copy of a tree, in which boolean changes those values that are booleans to kubectl alone.
func fresh(n *yaml.Node, boolean func(*yaml.Node)) *yaml.Node {
	n = Resolve(n)
	if n == nil {
		return nil
	}
	c := &yaml.Node{Kind: n.Kind, Style: n.Style, Tag: n.Tag, Value: n.Value}
	if n.Kind != yaml.MappingNode {
		if IsPlainBool(n) {
			boolean(c)
		}
		for _, child := range n.Content {
			c.Content = append(c.Content, fresh(child, boolean))
		}
		return c
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		c.Content = append(c.Content, fresh(n.Content[i], func(*yaml.Node) {}), fresh(n.Content[i+1], boolean))
	}
	return c
}

// String is a new string scalar.
func String(value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value}
}

// Sequence is a new block sequence.
func Sequence(entries ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: entries}
}

// Mapping is a new block mapping from keys and values in turn.
func Mapping(content ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: content}
}
