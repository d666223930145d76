package node

import "go.yaml.in/yaml/v3"

// Every node has an identity, which survives copying, so that a changed version of a document can be compared with the original.
// It is kept in the node's Line and Column, and only the functions in this file give these a meaning:
//
//   - A node that was read has the position at which it begins in its text, from 1. A copy stands for the same place in the text.
//   - A node that was made, and has no text yet, is new: Line and Column are 0.
//   - A node that was restored was read from another text, which somebody kept. It is numbered: Line is 0 and Column is negative.

// Position is a line and a column, both from 1 for a node that was read.
type Position struct{ Line, Column int }

// PositionOf returns the position of a node.
func PositionOf(n *yaml.Node) Position { return Position{n.Line, n.Column} }

// SetPosition makes a node stand for the place at a position.
func SetPosition(n *yaml.Node, p Position) { n.Line, n.Column = p.Line, p.Column }

// Identity tells a node of a text from all others except its copies. The kind is part of it, because a mapping begins where its
// first key does.
type Identity struct {
	Position
	Kind yaml.Kind
}

// IdentityOf returns the identity of a node.
func IdentityOf(n *yaml.Node) Identity { return Identity{PositionOf(n), n.Kind} }

// IsRead reports whether a node was read from the text of its document, or is a copy of one that was.
func IsRead(n *yaml.Node) bool { return n.Line != 0 }

// IsNew reports whether a node was neither read nor restored.
func IsNew(n *yaml.Node) bool { return n.Line == 0 && n.Column == 0 }

// IsRestored reports whether a node was marked by MarkRestored, or is a copy of one that was.
func IsRestored(n *yaml.Node) bool { return n.Line == 0 && n.Column < 0 }

// MarkRestored marks a node as restored from another text, with a number from 0 that tells it from the other restored nodes.
func MarkRestored(n *yaml.Node, number int) { n.Line, n.Column = 0, -1-number }

// RestoredNumber returns the number of a restored node, and -1 for all others.
func RestoredNumber(n *yaml.Node) int {
	if !IsRestored(n) {
		return -1
	}
	return -1 - n.Column
}

// IsSame reports whether two nodes stand for the same place, because one is a copy of the other or of the mapping around it.
// Nodes that are new are not the same as any other.
func IsSame(a, b *yaml.Node) bool { return PositionOf(a) == PositionOf(b) && !IsNew(a) }
