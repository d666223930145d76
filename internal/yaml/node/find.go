package node

import (
	"strconv"
	"strings"
)

// Find follows a field path as messages write it, such as spec.containers[0].name, and returns the last node on it that
// exists: the key of a mapping or the entry of a list. It returns nil if not even the first step exists.
func Find(n *Node, path string) *Node {
	var found *Node
	for n != nil && path != "" {
		at, value, rest := step(n, path)
		if at == nil {
			break
		}
		found, n, path = at, value, rest
	}
	return found
}

// step takes the first step of a path. It returns the node there, its value, and the rest of the path.
func step(n *Node, path string) (at, value *Node, rest string) {
	n, path = Resolve(n), strings.TrimPrefix(path, ".")
	switch {
	case n.Kind == SequenceNode && strings.HasPrefix(path, "["):
		number, rest, closed := strings.Cut(path[1:], "]")
		index, err := strconv.Atoi(number)
		if !closed || err != nil || index < 0 || index >= len(n.Content) {
			return nil, nil, ""
		}
		return n.Content[index], n.Content[index], rest
	case n.Kind == MappingNode && strings.HasPrefix(path, "["):
		key, rest := bracketed(path)
		if i := Index(n, key); i >= 0 {
			return n.Content[i], n.Content[i+1], rest
		}
	case n.Kind == MappingNode:
		return longestKey(n, path)
	}
	return nil, nil, ""
}

// bracketed returns the key in the brackets that a path begins with, without quotes, and the rest of the path.
func bracketed(path string) (key, rest string) {
	quoted, err := strconv.QuotedPrefix(path[1:])
	if err != nil {
		key, rest, _ = strings.Cut(path[1:], "]")
		return key, rest
	}
	key, _ = strconv.Unquote(quoted)
	return key, strings.TrimPrefix(path[1+len(quoted):], "]")
}

// longestKey takes a step by the longest key that the path begins with, because keys may contain dots.
func longestKey(m *Node, path string) (at, value *Node, rest string) {
	for i := 0; i+1 < len(m.Content); i += 2 {
		key := m.Content[i]
		after, ok := strings.CutPrefix(path, key.Value)
		if !ok || key.Kind != ScalarNode || after != "" && !strings.ContainsRune(".[:", rune(after[0])) {
			continue
		}
		if at == nil || len(key.Value) > len(at.Value) {
			at, value, rest = key, m.Content[i+1], after
		}
	}
	return at, value, rest
}
