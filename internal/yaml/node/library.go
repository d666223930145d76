package node

import "go.yaml.in/yaml/v3"

// Library returns a tree as nodes of yaml.v3, without what is only in the text: comments, anchors, and tags that are not those of YAML.
func (n *Node) Library() *yaml.Node { return n.library(map[*Node]*yaml.Node{}) }

func (n *Node) library(made map[*Node]*yaml.Node) *yaml.Node {
	if known := made[n]; known != nil {
		return known
	}
	to := &yaml.Node{Kind: yaml.Kind(n.Kind), Style: yaml.Style(n.Style), Value: n.Value}
	made[n] = to
	if n.Tag < OtherTag {
		to.Tag = n.Tag.String()
	}
	if n.Kind == AliasNode {
		to.Alias = n.Target().library(made)
		return to
	}
	for _, child := range n.Content {
		to.Content = append(to.Content, child.library(made))
	}
	return to
}

// Decode decodes a tree as the library does.
func (n *Node) Decode(into any) error { return n.Library().Decode(into) }

// MarshalYAML lets the library write a tree.
func (n *Node) MarshalYAML() (any, error) { return n.Library(), nil }
