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
	text, isRoot := u.roots[template.Column]
	if template.Line == 0 && isRoot && hasGrown(template) {
		return []Grown{{template, text, document(u.origins[template.Column]), document(u.grounded(template))}}
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
	if origin := u.origins[n.Column]; origin != nil {
		c.Line, c.Column = origin.Line, origin.Column
	}
	c.Content = nil
	for _, child := range n.Content {
		c.Content = append(c.Content, u.grounded(child))
	}
	return c
}

// hasGrown tells whether a node that was put back from a stamp, and was not empty, got something more.
func hasGrown(n *yaml.Node) bool { return slices.ContainsFunc(n.Content, isRestored) && isGrown(n) }

// isGrown tells whether something went into a node since it was put back from a stamp.
func isGrown(n *yaml.Node) bool {
	return slices.ContainsFunc(n.Content, func(child *yaml.Node) bool { return !isRestored(child) || isGrown(child) })
}

// isRestored tells whether a node was put back from a stamp: it brings its own text.
func isRestored(n *yaml.Node) bool { return n.Line == 0 && n.Column < 0 }
