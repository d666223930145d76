package version

import (
	"slices"

	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Undone is what Undo found in a pod template, and what it put back.
type Undone struct {
	// Drifts is what people have changed. It was removed nevertheless.
	Drifts []Drift

	// What is put back is numbered by node.MarkRestored.
	origins []*node.Node   // the nodes as the text in the stamp has them, by these numbers
	roots   map[int]string // the texts in the stamp

	steps int // how many nodes and names were visited, for the tests
}

// restored returns a node from a text that a stamp keeps.
func (u *undoer) restored(text string) *node.Node {
	original, err := stamp.ReadText(text)
	if err != nil {
		panic(err) // Parse has read it
	}
	n := node.Fresh(original)
	u.roots[len(u.origins)] = text
	u.number(n, original)
	return n
}

func (u *undoer) number(n, original *node.Node) {
	node.MarkRestored(n, len(u.origins))
	u.origins = append(u.origins, original)
	for i, child := range n.Content {
		u.number(child, original.Content[i])
	}
}

// Texts returns how the nodes in a version of the template are written that were put back. If an injector has put
// something into one of them since, and it was not empty, the function changes its text: before is what the text is,
// and after what it becomes.
func (u Undone) Texts(
	template *node.Node, change func(text []byte, before, after *node.Node) ([]byte, error),
) map[*node.Node]string {
	if len(u.roots) == 0 {
		return nil
	}
	texts := map[*node.Node]string{}
	var visit func(*node.Node)
	visit = func(n *node.Node) {
		number := node.RestoredNumber(n)
		switch text, isRoot := u.roots[number]; {
		case isRoot && node.Equal(n, u.origins[number]):
			texts[n] = text
		case isRoot && hasGrown(n):
			grown, err := change([]byte(text), document(u.origins[number]), document(u.withPositions(n)))
			if err == nil {
				texts[n] = string(grown)
			}
		default:
			for _, child := range n.Content {
				visit(child)
			}
		}
	}
	visit(template)
	return texts
}

func document(root *node.Node) *node.Node {
	return &node.Node{Kind: node.DocumentNode, Start: root.Start, End: root.End, Content: []*node.Node{root}}
}

// withPositions returns a copy whose nodes have the positions that they have in the text that they were put back from.
func (u Undone) withPositions(n *node.Node) *node.Node {
	c := node.Clone(n)
	if number := node.RestoredNumber(n); number >= 0 && number < len(u.origins) {
		c.Start = u.origins[number].Start
		c.End = u.origins[number].End
	}
	for i, child := range c.Content {
		c.Content[i] = u.withPositions(child)
	}
	return c
}

// hasGrown reports whether a node that was put back, and was not empty, got something more.
func hasGrown(n *node.Node) bool {
	return slices.ContainsFunc(n.Content, node.IsRestored) && isGrown(n)
}

// isGrown reports whether something was put into a node since it was put back.
func isGrown(n *node.Node) bool {
	return slices.ContainsFunc(n.Content, func(child *node.Node) bool {
		return !node.IsRestored(child) || isGrown(child)
	})
}
