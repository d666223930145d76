package node

import "go.yaml.in/yaml/v3"

// Decode decodes a tree without aliases as the library does.
func (n *Node) Decode(into any) error { return n.library().Decode(into) }

func (n *Node) library() *yaml.Node {
	to := &yaml.Node{Kind: yaml.Kind(n.Kind), Style: yaml.Style(n.Style), Value: n.Value}
	if n.Tag < OtherTag {
		to.Tag = n.Tag.String()
	}
	for _, child := range n.Content {
		to.Content = append(to.Content, child.library())
	}
	return to
}
