package node

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Find follows a field path as messages write it, spec.containers[0].name, and returns the
// nearest node on it that is there: the key of a mapping, since that is where a person looks,
// or the entry of a list. It is nil where not even the first step is there.
func Find(n *yaml.Node, path string) *yaml.Node {
	var found *yaml.Node
	for n != nil && path != "" {
		at, value, rest := step(n, path)
		if at == nil {
			break
		}
		found, n, path = at, value, rest
	}
	return found
}

// step takes the first step of a path: where it leads, what stands there, and the rest.
func step(n *yaml.Node, path string) (at, value *yaml.Node, rest string) {
	n, path = Resolve(n), strings.TrimPrefix(path, ".")
	switch {
	case n.Kind == yaml.SequenceNode && strings.HasPrefix(path, "["):
		number, rest, closed := strings.Cut(path[1:], "]")
		index, err := strconv.Atoi(number)
		if !closed || err != nil || index < 0 || index >= len(n.Content) {
			return nil, nil, ""
		}
		return n.Content[index], n.Content[index], rest
	case n.Kind == yaml.MappingNode && strings.HasPrefix(path, "["):
		key, rest := bracketed(path)
		if i := own(n, key); i >= 0 {
			return n.Content[i], n.Content[i+1], rest
		}
	case n.Kind == yaml.MappingNode:
		return longestKey(n, path)
	}
	return nil, nil, ""
}

// bracketed is the key in the brackets that a path begins with, in quotes or without, and what follows them.
func bracketed(path string) (key, rest string) {
	quoted, err := strconv.QuotedPrefix(path[1:])
	if err != nil {
		key, rest, _ = strings.Cut(path[1:], "]")
		return key, rest
	}
	key, _ = strconv.Unquote(quoted)
	return key, strings.TrimPrefix(path[1+len(quoted):], "]")
}

// longestKey takes a step by a key that may itself hold dots, as those of labels do.
func longestKey(m *yaml.Node, path string) (at, value *yaml.Node, rest string) {
	for i := 0; i+1 < len(m.Content); i += 2 {
		key := m.Content[i]
		after, ok := strings.CutPrefix(path, key.Value)
		if !ok || key.Kind != yaml.ScalarNode || after != "" && !strings.ContainsRune(".[:", rune(after[0])) {
			continue
		}
		if at == nil || len(key.Value) > len(at.Value) {
			at, value, rest = key, m.Content[i+1], after
		}
	}
	return at, value, rest
}
