package node

import (
	"cmp"
	"strconv"
	"strings"
)

// Find follows a field path as messages write it, such as spec.containers[0].name, and returns the last node on it that
// exists: the key of a mapping or the entry of a list. It returns nil if not even the first step exists.
func Find(n *Node, path string) *Node {
	if n == nil || path == "" {
		return nil
	}
	at, value, rest := step(n, path)
	return cmp.Or(Find(value, rest), at)
}

// Join returns the path of a field, which Find follows, given the path of what has it. Either may be empty.
func Join(path, field string) string {
	if path == "" || field == "" {
		return path + field
	}
	return path + "." + field
}

// step takes the first step of a path: an index or a key in brackets, which may be in quotes, or the longest key that
// the path begins with, because keys may contain dots. It returns the node there, its value, and the rest of the path.
func step(n *Node, path string) (at, value *Node, rest string) {
	n, path = Resolve(n), strings.TrimPrefix(path, ".")
	if name, isBracketed := strings.CutPrefix(path, "["); isBracketed {
		name, rest, _ = strings.Cut(name, "]")
		if i, err := strconv.Atoi(name); err == nil && n.Kind == SequenceNode && i >= 0 && i < len(n.Content) {
			return n.Content[i], n.Content[i], rest
		}
		if key, err := strconv.Unquote(name); err == nil {
			name = key
		}
		if i := Index(n, name); i >= 0 && n.Kind == MappingNode {
			return n.Content[i], n.Content[i+1], rest
		}
		return nil, nil, ""
	}
	for i := 0; i+1 < len(n.Content) && n.Kind == MappingNode; i += 2 {
		key := n.Content[i]
		after, ok := strings.CutPrefix(path, key.Value)
		if !ok || key.Kind != ScalarNode || after != "" && !strings.ContainsRune(".[:", rune(after[0])) {
			continue
		}
		if at == nil || len(key.Value) > len(at.Value) {
			at, value, rest = key, n.Content[i+1], after
		}
	}
	return at, value, rest
}
