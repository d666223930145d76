package node

import "go.yaml.in/yaml/v3"

// Identity distinguishes a node from all others, except from its copies. So a changed version of a document can be compared with
// the original. It is kept in Line and Column of the node, which only the functions in this file interpret:
//
//   - A node that was read has the position at which it begins in its text, from 1. A copy represents the same node of the text.
//   - A node that was created, and has no text yet, is new: Line and Column are 0.
//   - A node that was restored was read from another text, which was kept. It has a number: Line is 0 and Column is negative.
//
// The kind is part of the identity, because a mapping begins where its first key does.
type Identity struct {
	Position
	Kind yaml.Kind
}

// IdentityOf returns the identity of a node.
func IdentityOf(n *yaml.Node) Identity { return Identity{PositionOf(n), n.Kind} }

// Position is a line and a column, both from 1 for a node that was read.
type Position struct{ Line, Column int }

// Compare returns a negative number if a position is before another, a positive one if it is behind it, and 0 if they are the same.
func (p Position) Compare(with Position) int {
	if p.Line != with.Line {
		return p.Line - with.Line
	}
	return p.Column - with.Column
}

// PositionOf returns the position of a node.
func PositionOf(n *yaml.Node) Position { return Position{n.Line, n.Column} }

// SetPosition gives a node a position.
func SetPosition(n *yaml.Node, p Position) { n.Line, n.Column = p.Line, p.Column }

// IsRead reports whether a node was read from the text of its document, or is a copy of one that was.
func IsRead(n *yaml.Node) bool { return n.Line != 0 }

// IsNew reports whether a node was neither read nor restored.
func IsNew(n *yaml.Node) bool { return n.Line == 0 && n.Column == 0 }

// IsRestored reports whether a node was marked by MarkRestored, or is a copy of one that was.
func IsRestored(n *yaml.Node) bool { return n.Line == 0 && n.Column < 0 }

// MarkRestored marks a node as restored from another text, with a number from 0 that distinguishes it from other restored nodes.
func MarkRestored(n *yaml.Node, number int) { n.Line, n.Column = 0, -1-number }

// RestoredNumber returns the number of a restored node, and -1 for all others.
func RestoredNumber(n *yaml.Node) int {
	if !IsRestored(n) {
		return -1
	}
	return -1 - n.Column
}

// IsSame reports whether two nodes have the same position or number. New nodes are not the same as any other.
func IsSame(a, b *yaml.Node) bool { return PositionOf(a) == PositionOf(b) && !IsNew(a) }
