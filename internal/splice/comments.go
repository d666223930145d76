package splice

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/node"
)

// commented reads a document with its comments, which only a document that is written anew
// needs in its nodes.
func commented(text []byte) (document *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the text cannot be parsed: %v", r)
		}
	}()
	document = new(yaml.Node)
	if err := yaml.Unmarshal(text, document); err != nil {
		return nil, err
	}
	if len(document.Content) != 1 {
		return nil, errEmpty
	}
	return document, nil
}

// withComments is a copy of the tree in which nodes of the original have its comments again.
func withComments(after, original *yaml.Node) *yaml.Node {
	type place struct {
		line, column int
		kind         yaml.Kind
	}
	placeOf := func(n *yaml.Node) place { return place{n.Line, n.Column, n.Kind} }
	originals := map[place]*yaml.Node{}
	visit(original, func(n *yaml.Node) { originals[placeOf(n)] = n })
	c := node.Copy(after)
	visit(c, func(n *yaml.Node) {
		if o := originals[placeOf(n)]; o != nil && isOriginal(n) {
			n.HeadComment, n.LineComment, n.FootComment = o.HeadComment, o.LineComment, o.FootComment
		}
	})
	return c
}

func visit(n *yaml.Node, see func(*yaml.Node)) {
	see(n)
	for _, child := range n.Content {
		visit(child, see)
	}
}
