package stamp

import "go.yaml.in/yaml/v3"

// place tells a node from all others of its text except copies of itself.
type place struct {
	line, column int
	kind         yaml.Kind
}

func placeIn(n *yaml.Node) place { return place{n.Line, n.Column, n.Kind} }

// isNew reports whether a node has never been part of a text.
func isNew(n *yaml.Node) bool { return n.Line == 0 && n.Column == 0 }

// sameOrigin reports whether one node is a copy of the other.
func sameOrigin(b, a *yaml.Node) bool {
	return b.Line == a.Line && b.Column == a.Column && !isNew(b)
}

// isRestored reports whether a node was put back from a stamp, so that it brings its own text.
func isRestored(n *yaml.Node) bool { return n.Line == 0 && n.Column < 0 }
