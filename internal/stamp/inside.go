package stamp

import "go.yaml.in/yaml/v3"

// Inside returns the path of what is inside a thing.
func (t Thing) Inside() string { return t.path() }

// IsOf reports whether a fingerprint is that of a node.
func (f Fingerprint) IsOf(n *yaml.Node) bool { return f.Hash == hashOf(n) }
