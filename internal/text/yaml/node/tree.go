package node

// Node is a value of YAML as it is written in a text, or a new one. It has no positions of lines, comments or names of
// anchors: these are in the text, beside or inside of its range.
type Node struct {
	Kind  Kind
	Style Style
	Tag   Tag
	// IsAnchored is set if the node is written with an anchor.
	IsAnchored bool
	// IsApproximate is set if only Start is known, which distinguishes the node from others. The text cannot be edited
	// there.
	IsApproximate bool
	// Start and End are the range of bytes that the node was read from, properties (an anchor, a tag) included. They
	// are both 0 for a new node. A value that is written as nothing, as in "key:", has an empty range behind the colon
	// or the dash. A block collection ends where its last child does, and a block scalar where the line behind it
	// begins.
	Start, End int32
	// Value is that of a scalar, or the name of an alias. It may share the memory of the text.
	Value string
	// Content holds the keys and values of a mapping in turn, the entries of a list, or the root of a document. An
	// alias has the node that it refers to.
	Content []*Node
}

// Kind is what a node is.
type Kind uint8

// The kinds of nodes, in the order of yaml.v3.
const (
	DocumentNode Kind = 1 << iota
	SequenceNode
	MappingNode
	ScalarNode
	AliasNode
)

// Style is how a node is written.
type Style uint8

// The styles of nodes, in the order of yaml.v3. A node without any is plain or a block collection.
const (
	TaggedStyle Style = 1 << iota
	DoubleQuotedStyle
	SingleQuotedStyle
	LiteralStyle
	FoldedStyle
	FlowStyle
)

// Children returns the number of entries, or of pairs of a key and a value.
func (n *Node) Children() int {
	if n.Kind == MappingNode {
		return len(n.Content) / 2
	}
	return len(n.Content)
}

// Identity distinguishes a node from all others, except from its copies. So a changed version of a document can be
// compared with the original:
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

// MarkRestored marks a node as restored from another text, with a number from 0 that distinguishes it from other
// restored nodes.
func MarkRestored(n *Node, number int) { n.Start, n.End = int32(-1-number), 0 }

// RestoredNumber returns the number of a restored node, and -1 for all others.
func RestoredNumber(n *Node) int { return max(-1, -1-int(n.Start)) }

// IsSame reports whether two nodes begin at the same place or have the same number. New nodes are not the same as any
// other.
func IsSame(a, b *Node) bool { return a.Start == b.Start && !IsNew(a) && !IsNew(b) }
