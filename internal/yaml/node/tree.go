package node

import "slices"

// Node is a value of YAML as it is written in a text, or a new one. It has no positions of lines, comments or names of anchors: these
// are in the text, beside or inside of its range.
type Node struct {
	Kind  Kind
	Style Style
	Tag   Tag
	// IsAnchored is set if the node is written with an anchor.
	IsAnchored bool
	// IsApproximate is set if only Start is known, which distinguishes the node from others. The text cannot be edited there.
	IsApproximate bool
	// Start and End are the range of bytes that the node was read from, properties (an anchor, a tag) included. They are both 0 for a
	// new node. A value that is written as nothing, as in "key:", has an empty range behind the colon or the dash. A block collection
	// ends where its last child does, and a block scalar where the line behind it begins.
	Start, End int32
	// Value is that of a scalar, or the name of an alias. It may share the memory of the text.
	Value string
	// Content holds the keys and values of a mapping in turn, the entries of a list, or the root of a document. An alias has the
	// node that it refers to.
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

// Tag is the type of a value.
type Tag uint8

// The tags of YAML. OtherTag is any other; it is in the text. Tags behind it are for those who make nodes for themselves.
const (
	NoTag Tag = iota
	StrTag
	MapTag
	SeqTag
	IntTag
	BoolTag
	NullTag
	FloatTag
	TimestampTag
	BinaryTag
	MergeTag
	OtherTag
)

var tagNames = [...]string{
	"", "!!str", "!!map", "!!seq", "!!int", "!!bool", "!!null", "!!float", "!!timestamp", "!!binary", "!!merge", "!",
}

// String returns the tag as YAML writes it.
func (t Tag) String() string { return tagNames[min(t, OtherTag)] }

// TagOf returns the tag with a short name.
func TagOf(name string) Tag {
	if tag := slices.Index(tagNames[:OtherTag], name); tag >= 0 {
		return Tag(tag)
	}
	return OtherTag
}

// Children returns the number of entries, or of pairs of a key and a value.
func (n *Node) Children() int {
	if n.Kind == MappingNode {
		return len(n.Content) / 2
	}
	return len(n.Content)
}

// Target returns the node that an alias refers to.
func (n *Node) Target() *Node { return n.Content[0] }
