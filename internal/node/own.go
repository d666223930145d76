package node

import "go.yaml.in/yaml/v3"

// Own makes the value of a key safe to change in place and returns it: an alias, or a value
// that comes in by a merge key, becomes a copy that belongs to this mapping alone. It
// returns nil where the mapping has no such key.
func Own(m *yaml.Node, key string) *yaml.Node {
	if i := own(m, key); i >= 0 {
		m.Content[i+1] = owned(m.Content[i+1])
		return m.Content[i+1]
	}
	merged := field(m, key, 0)
	if merged == nil {
		return nil
	}
	value := Fresh(merged)
	Set(m, key, value)
	return value
}

// OwnEntry is Own for an entry of a sequence.
func OwnEntry(s *yaml.Node, i int) *yaml.Node {
	s.Content[i] = owned(s.Content[i])
	return s.Content[i]
}

func owned(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return Fresh(n)
	}
	return n
}

// Set gives a key a value: in its place where the mapping has the key, else at the end.
func Set(m *yaml.Node, key string, value *yaml.Node) {
	if i := own(m, key); i >= 0 {
		m.Content[i+1] = value
		return
	}
	m.Content = append(m.Content, String(key), value)
}

// Delete takes a key out of a mapping.
func Delete(m *yaml.Node, key string) {
	if i := own(m, key); i >= 0 {
		m.Content = append(m.Content[:i:i], m.Content[i+2:]...)
	}
}

// Insert puts an entry into a sequence.
func Insert(s *yaml.Node, at int, entry *yaml.Node) {
	s.Content = append(s.Content[:at:at], append([]*yaml.Node{entry}, s.Content[at:]...)...)
}

// SpreadByAlias names an anchor whose content differs between a tree and its changed copy
// while an alias still uses it: such a change reaches places that nobody asked for.
func SpreadByAlias(before, after *yaml.Node) (anchor string, spread bool) {
	type position struct{ line, column int }
	anchored := map[position]*yaml.Node{}
	visit(before, func(n *yaml.Node) {
		if n.Anchor != "" {
			anchored[position{n.Line, n.Column}] = n
		}
	})
	if len(anchored) == 0 {
		return "", false
	}
	visit(after, func(n *yaml.Node) {
		if n.Kind != yaml.AliasNode || spread {
			return
		}
		original := anchored[position{n.Alias.Line, n.Alias.Column}]
		if original != nil && !Equal(original, n.Alias) {
			anchor, spread = n.Alias.Anchor, true
		}
	})
	return anchor, spread
}

func visit(n *yaml.Node, see func(*yaml.Node)) {
	see(n)
	for _, child := range n.Content {
		visit(child, see)
	}
}
