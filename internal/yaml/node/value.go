package node

// Value returns a node as a Go value: nil, the value of a scalar as Scalar returns it, a map[string]any or a []any. Aliases and merge
// keys are followed.
func Value(n *Node) any {
	n = Resolve(n)
	switch {
	case IsNull(n):
		return nil
	case n.Kind == MappingNode:
		fields := make(map[string]any, len(n.Content)/2)
		for key, value := range Fields(n) {
			fields[key] = Value(value)
		}
		return fields
	case n.Kind == SequenceNode:
		entries := make([]any, len(n.Content))
		for i, entry := range n.Content {
			entries[i] = Value(entry)
		}
		return entries
	}
	return Scalar(n)
}
