package node

// Fresh returns a deep copy with new nodes, without comments, anchors, aliases or merge keys. Values stay as they are
// written.
func Fresh(n *Node) *Node {
	if n = Resolve(n); n == nil {
		return nil
	}
	to := &Node{Kind: n.Kind, Style: n.Style, Tag: n.Tag, Value: n.Value}
	content := n.Content
	if n.Kind == MappingNode {
		content = merged(n).Content
	}
	if len(content) > 0 {
		to.Content = make([]*Node, len(content))
	}
	for i, child := range content {
		to.Content[i] = Fresh(child)
	}
	return to
}

// String returns a new string scalar.
func String(value string) *Node {
	return &Node{Kind: ScalarNode, Tag: StrTag, Value: value}
}

// StringLike returns a new string scalar in the quotes of another scalar, which may be nil.
func StringLike(other *Node, value string) *Node {
	n := String(value)
	if other = Resolve(other); other != nil {
		n.Style = other.Style & (SingleQuotedStyle | DoubleQuotedStyle)
	}
	return n
}

// Sequence returns a new block sequence.
func Sequence(entries ...*Node) *Node {
	return &Node{Kind: SequenceNode, Tag: SeqTag, Content: entries}
}

// Mapping returns a new block mapping of keys and values in turn.
func Mapping(content ...*Node) *Node {
	return &Node{Kind: MappingNode, Tag: MapTag, Content: content}
}
