package node

// Node is a value of YAML as it is written in a text, or a new one. It has no positions of lines, comments or names of anchors: these
// are in the text, beside or inside of its range.
type Node struct {
	Kind  Kind
	Style Style
	Tag   Tag
	flags flags
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

// The tags of YAML. OtherTag is any other; it is in the text.
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
func (t Tag) String() string { return tagNames[t] }

// TagOf returns the tag with a short name.
func TagOf(name string) Tag {
	for tag, each := range tagNames[:OtherTag] {
		if each == name {
			return Tag(tag)
		}
	}
	return OtherTag
}

type flags uint8

const (
	anchored flags = 1 << iota
	approximate
)

// HasAnchor reports whether the node is written with an anchor.
func (n *Node) HasAnchor() bool { return n.flags&anchored != 0 }

// SetAnchored marks a node as one that is written with an anchor.
func (n *Node) SetAnchored() { n.flags |= anchored }

// IsApproximate reports whether only Start is known, which distinguishes the node from others, and the text cannot be edited there.
func (n *Node) IsApproximate() bool { return n.flags&approximate != 0 }

// SetApproximate marks a node as one whose range is not known.
func (n *Node) SetApproximate() { n.flags |= approximate }

// Target returns the node that an alias refers to.
func (n *Node) Target() *Node { return n.Content[0] }
