package manifest

import (
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// treeCheck checks a parsed item for what the rest of the program relies on: nesting is
// bounded, following aliases ends, and, in what it changes, keys are there once.
type treeCheck struct {
	line int
	// repeated is about the first key that is there twice.
	repeated error
	// sizes are the expanded sizes of anchored nodes; one that is being counted is -1.
	sizes map[*yaml.Node]int
	// written is how many nodes there are in the text.
	written int
}

// checkTree refuses an item that is ambiguous or too large to be worked on.
func checkTree(object *yaml.Node, line int) error {
	check := treeCheck{line: line}
	if err := check.limits(object); err != nil {
		return err
	}
	return check.repeated
}

// limits refuses a tree that is too deep, or that its aliases make too large or endless.
func (c *treeCheck) limits(object *yaml.Node) error {
	size, err := c.node(object, 0)
	if err != nil {
		return err
	}
	switch {
	case c.written > maxNodes:
		return errorAt(c.line, "this object has more than %d nodes; at most so many are read, as no cluster stores more", maxNodes)
	case size-c.written > maxAliasNodes:
		return errorAt(c.line, "the aliases in this object expand to more than %d nodes; write out what is meant", maxAliasNodes)
	}
	return nil
}

// node checks a node and counts what it expands to, up to a little over the limit.
func (c *treeCheck) node(n *yaml.Node, depth int) (int, error) {
	if depth > MaxDepth {
		return 0, errorAt(c.lineOf(n), "this object is nested more than %d levels deep", MaxDepth)
	}
	c.written++
	if n.Kind == yaml.AliasNode {
		return c.anchored(n, n.Alias, depth)
	}
	if n.Anchor != "" {
		return c.anchored(n, n, depth)
	}
	return c.content(n, depth)
}

// anchored counts each anchored node once, however often aliases refer to it.
func (c *treeCheck) anchored(user, n *yaml.Node, depth int) (int, error) {
	if size, counted := c.sizes[n]; counted {
		if size < 0 {
			return 0, errorAt(c.lineOf(user), "the alias *%s stands inside of what it refers to; write out what is meant", n.Anchor)
		}
		return size, nil
	}
	if c.sizes == nil {
		c.sizes = map[*yaml.Node]int{}
	}
	c.sizes[n] = -1
	size, err := c.content(n, depth)
	c.sizes[n] = size
	return size, err
}

func (c *treeCheck) content(n *yaml.Node, depth int) (int, error) {
	if n.Kind == yaml.MappingNode && c.repeated == nil {
		c.repeated = c.keys(n)
	}
	size := 1
	for _, child := range n.Content {
		expanded, err := c.node(child, depth+1)
		if err != nil {
			return 0, err
		}
		size = min(size+expanded, maxNodes+maxAliasNodes+1)
	}
	return size, nil
}

// fewKeys is how many keys are compared with each other; more are looked up.
const fewKeys = 12

// scalarKey is what makes a key the same as another. The same text with another tag is another
// key: 1 and "1".
type scalarKey struct{ tag, value string }

// keys reports the first key that a mapping has twice, as parsers differ in which one they take.
func (c *treeCheck) keys(m *yaml.Node) error {
	var seen map[scalarKey]bool
	if len(m.Content) > 2*fewKeys {
		seen = make(map[scalarKey]bool, len(m.Content)/2)
	}
	for i := 0; i < len(m.Content); i += 2 {
		key := m.Content[i]
		if key.Kind != yaml.ScalarNode {
			continue
		}
		if seen == nil && c.twice(m, i) || seen[scalarKey{key.Tag, key.Value}] {
			return c.duplicate(key)
		}
		if seen != nil {
			seen[scalarKey{key.Tag, key.Value}] = true
		}
	}
	return nil
}

// twice tells whether the key at the index of a small mapping stands before it too.
func (c *treeCheck) twice(m *yaml.Node, index int) bool {
	key := m.Content[index]
	for i := 0; i < index; i += 2 {
		other := m.Content[i]
		if other.Kind == yaml.ScalarNode && other.Value == key.Value && other.Tag == key.Tag {
			return true
		}
	}
	return false
}

func (c *treeCheck) duplicate(key *yaml.Node) error {
	return &LineError{Line: c.lineOf(key), Column: key.Column, Err: &RepeatedKeyError{key.Value}}
}

// RepeatedKeyError is about a key that is there twice in the same mapping.
type RepeatedKeyError struct{ Key string }

func (e *RepeatedKeyError) Error() string {
	return fmt.Sprintf("the key %q is there twice in the same mapping; remove one of them", e.Key)
}

// IsRepeatedKey tells whether all that is wrong with an item is a key that is there twice.
func IsRepeatedKey(err error) bool {
	var repeated *RepeatedKeyError
	return errors.As(err, &repeated)
}

func (c *treeCheck) lineOf(n *yaml.Node) int { return c.line + n.Line - 1 }
