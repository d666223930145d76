package manifest

import (
	"cmp"
	"errors"
	"fmt"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// treeCheck checks a parsed item for what the rest of the program relies on: nesting is
// bounded, following aliases ends, and each key is a name that is there once.
type treeCheck struct {
	*outline      // of the text that the nodes were read from
	sizeOnly bool // the keys are known to be right
	// repeated is the error of the first repeated key, and odd that of the first key that is not a name, or value that
	// is encoded.
	repeated, odd error
	// merges are the mappings with a merge key below other keys.
	merges []*node.Node
	// written is the number of nodes in the text.
	written int
}

// object refuses an object that is ambiguous or too large.
func (c *treeCheck) object(object *node.Node) error {
	if err := c.limits(object); err != nil {
		return err
	}
	if c.odd == nil && c.repeated == nil { // many merge keys repeat each other
		c.odd = c.mergedKey()
	}
	if key, isKey := errors.AsType[*keyError](c.odd); isKey {
		key.repeated = c.repeated
	}
	return cmp.Or(c.odd, c.repeated)
}

// CheckSize refuses a document that would not be read, given how many bytes it has.
func CheckSize(document *node.Node, bytes int) error {
	if bytes > MaxItemBytes {
		return fmt.Errorf("the object would have %d bytes, and at most %d are read", bytes, MaxItemBytes)
	}
	return CheckLimits(ObjectIn(document))
}

// CheckLimits refuses a tree that is too deep, too large, or endless by its aliases. It does not check keys.
func CheckLimits(tree *node.Node) error {
	check := treeCheck{outline: new(outline), sizeOnly: true}
	return check.limits(tree)
}

// limits refuses a tree that is too deep, too large, or endless by its aliases.
func (c *treeCheck) limits(object *node.Node) error {
	size, err := c.node(object, 0)
	switch {
	case err != nil:
		return err
	case c.written > maxNodes:
		return errorAt(c.lineOf(object), "this object has more than %d nodes; at most so many are read, as no cluster stores more", maxNodes)
	case size-c.written > MaxAliasNodes:
		return errorAt(c.lineOf(object), "the aliases in this object expand to more than %d nodes; write out what is meant", MaxAliasNodes)
	}
	return nil
}

// node checks a node and returns the number of nodes that it expands to, up to a little over the limit.
func (c *treeCheck) node(n *node.Node, depth int) (int, error) {
	if depth > MaxDepth {
		return 0, errorAt(c.lineOf(n), "this object is nested more than %d levels deep", MaxDepth)
	}
	c.written++
	if n.Kind == node.AliasNode {
		return c.anchored(n, n.Content[0], depth)
	}
	if n.IsAnchored {
		return c.anchored(n, n, depth)
	}
	return c.content(n, depth)
}

// anchored counts each anchored node once, however often aliases refer to it.
func (c *treeCheck) anchored(user, n *node.Node, depth int) (int, error) {
	if size, counted := c.sizes[n]; counted {
		if size < 0 {
			return 0, errorAt(c.lineOf(user), "the alias *%s is inside of the node that it refers to; replace it by the intended value", user.Value)
		}
		return size, nil
	}
	if c.sizes == nil {
		c.sizes = map[*node.Node]int{}
	}
	c.sizes[n] = -1
	size, err := c.content(n, depth)
	c.sizes[n] = size
	return size, err
}

func (c *treeCheck) content(n *node.Node, depth int) (int, error) {
	switch {
	case c.sizeOnly:
	case n.Kind == node.MappingNode:
		c.keys(n)
	case c.odd == nil:
		c.odd = c.checkScalar(n)
	}
	size, usual := 1, 0
	for _, child := range n.Content {
		if isUsualScalar(child) && depth < MaxDepth {
			usual++
			continue
		}
		expanded, err := c.node(child, depth+1)
		if err != nil {
			return 0, err
		}
		size = min(size+expanded, maxNodes+MaxAliasNodes+1)
	}
	c.written += usual
	return min(size+usual, maxNodes+MaxAliasNodes+1), nil
}

// isUsualScalar reports whether a node is a scalar that only counts, as most nodes are.
func isUsualScalar(n *node.Node) bool {
	return n.Kind == node.ScalarNode && !n.IsAnchored && n.Style&node.TaggedStyle == 0
}

// errorAt returns an error about a node.
func (c *treeCheck) errorAt(n *node.Node, err error) error {
	line := c.lineOf(n)
	return &LineError{Line: line, Column: c.lines.column + 1, Err: err}
}
