package stamp

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// Grown is a node that was put back from a stamp and got something more since.
type Grown struct {
	Node *yaml.Node
	// Text is how it was written, Before what it was, and After what it is, as documents.
	Text          string
	Before, After *yaml.Node
}

// Grown finds what was put back and got something more since, but for what was empty: that has
// no text worth keeping.
func (u Undone) Grown(template *yaml.Node) []Grown {
	if len(u.roots) == 0 {
		return nil
	}
	number := node.RestoredNumber(template)
	if text, isRoot := u.roots[number]; isRoot && hasGrown(template) {
		return []Grown{{template, text, document(u.origins[number]), document(u.grounded(template))}}
	}
	var all []Grown
	for _, child := range template.Content {
		all = append(all, u.Grown(child)...)
	}
	return all
}

func document(root *yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.DocumentNode, Line: 1, Column: 1, Content: []*yaml.Node{root}}
}

// grounded is a copy whose nodes stand where they do in the text that they were put back from.
func (u Undone) grounded(n *yaml.Node) *yaml.Node {
	c := node.Clone(n)
	if number := node.RestoredNumber(n); number >= 0 {
		node.SetPosition(c, node.PositionOf(u.origins[number]))
	}
	c.Content = nil
	for _, child := range n.Content {
		c.Content = append(c.Content, u.grounded(child))
	}
	return c
}

// hasGrown tells whether a node that was put back from a stamp, and was not empty, got something more.
func hasGrown(n *yaml.Node) bool {
	return slices.ContainsFunc(n.Content, node.IsRestored) && isGrown(n)
}

// isGrown tells whether something went into a node since it was put back from a stamp.
func isGrown(n *yaml.Node) bool {
	return slices.ContainsFunc(n.Content, func(child *yaml.Node) bool { return !node.IsRestored(child) || isGrown(child) })
}
