package node

// Identity distinguishes a node from all others, except from its copies. So a changed version of a document can be compared with
// the original:
//
//   - A node that was read has its range in the text. A copy represents the same node of the text.
//   - A node that was created, and has no text yet, is new: Start and End are 0.
//   - A node that was restored was read from another text, which was kept. It has a number: Start is negative.
//
// The kind is part of the identity, because a mapping begins where its first key does.
type Identity struct {
	Start, End int32
	Kind       Kind
}

// IdentityOf returns the identity of a node.
func IdentityOf(n *Node) Identity { return Identity{n.Start, n.End, n.Kind} }

// IsRead reports whether a node was read from the text of its document, or is a copy of one that was.
func IsRead(n *Node) bool { return n.End > 0 }

// IsNew reports whether a node was neither read nor restored.
func IsNew(n *Node) bool { return n.Start == 0 && n.End == 0 }

// IsRestored reports whether a node was marked by MarkRestored, or is a copy of one that was.
func IsRestored(n *Node) bool { return n.Start < 0 }

// MarkRestored marks a node as restored from another text, with a number from 0 that distinguishes it from other restored nodes.
func MarkRestored(n *Node, number int) { n.Start, n.End = int32(-1-number), 0 }

// RestoredNumber returns the number of a restored node, and -1 for all others.
func RestoredNumber(n *Node) int { return max(-1, -1-int(n.Start)) }

// IsSame reports whether two nodes begin at the same place or have the same number. New nodes are not the same as any other.
func IsSame(a, b *Node) bool { return a.Start == b.Start && !IsNew(a) && !IsNew(b) }
