package node

import (
	"strconv"

	"go.yaml.in/yaml/v3"
)

// Copy returns a deep copy. Its nodes keep their identity. Aliases inside of the copy refer to nodes of the copy.
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

// Fresh returns a deep copy with new nodes, without comments, anchors or aliases. A value that is a boolean only in YAML 1.1,
// such as yes, becomes one for every parser; otherwise it would be written in quotes.
func Fresh(n *yaml.Node) *yaml.Node {
	return fresh(n, func(c *yaml.Node) {
		value, _ := boolWord(c.Value)
		c.Tag, c.Value = "!!bool", strconv.FormatBool(value)
	})
}

// writtenOut returns a deep copy, like Fresh, of what an alias refers to. Every value stays as it is written, so that it means the
// same to every parser as before.
func writtenOut(n *yaml.Node) *yaml.Node {
	return fresh(n, func(c *yaml.Node) { c.Tag = "!!bool" })
}

// fresh returns a deep copy, in which boolean changes the values that are booleans only in YAML 1.1.
func fresh(n *yaml.Node, boolean func(*yaml.Node)) *yaml.Node {
	n = Resolve(n)
	nodes, children := countNodes(n)
	c := copier{make([]yaml.Node, nodes), make([]*yaml.Node, children), boolean}
	return c.copy(n, false)
}

// countNodes returns how many nodes a deep copy has, and how many children these have together.
func countNodes(n *yaml.Node) (nodes, children int) {
	if n = Resolve(n); n == nil {
		return 0, 0
	}
	nodes, children = 1, len(n.Content)
	for _, child := range n.Content {
		more, inside := countNodes(child)
		nodes, children = nodes+more, children+inside
	}
	return nodes, children
}

// copier makes deep copies whose nodes are in one piece of memory.
type copier struct {
	nodes    []yaml.Node  // those that are not used yet
	children []*yaml.Node // the same for lists of children
	boolean  func(*yaml.Node)
}

// copy returns a copy of a node. Keys are never booleans.
func (c *copier) copy(n *yaml.Node, isKey bool) *yaml.Node {
	if n = Resolve(n); n == nil {
		return nil
	}
	to := &c.nodes[0]
	c.nodes = c.nodes[1:]
	*to = yaml.Node{Kind: n.Kind, Style: n.Style, Tag: n.Tag, Value: n.Value}
	if n.Kind != yaml.MappingNode && !isKey && IsPlainBool(n) {
		c.boolean(to)
	}
	count := len(n.Content)
	if n.Kind == yaml.MappingNode {
		count -= count % 2
	}
	if count == 0 {
		return to
	}
	to.Content, c.children = c.children[:count:count], c.children[count:]
	for i := range to.Content {
		to.Content[i] = c.copy(n.Content[i], isKey || n.Kind == yaml.MappingNode && i%2 == 0)
	}
	return to
}

// String returns a new string scalar.
func String(value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value}
}

// StringLike returns a new string scalar in the quotes of another scalar, which may be nil. Without quotes it is still a string for every
// parser: only a node that was read can be a boolean in YAML 1.1, such as y, so a string must not be changed in place.
func StringLike(other *yaml.Node, value string) *yaml.Node {
	n := String(value)
	if other = Resolve(other); other != nil {
		n.Style = other.Style & (yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle)
	}
	return n
}

// Sequence returns a new block sequence.
func Sequence(entries ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: entries}
}

// Mapping returns a new block mapping of keys and values in turn.
func Mapping(content ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: content}
}
