package stamp

import (
	"math"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// Moved are the keys of the entries of the list at a path that have changed places with others from one
// version of a template to the next.
func Moved(before, after *View, path string) map[string]bool {
	above, name := parent(path)
	were, are := before.At(above, name), after.At(above, name)
	if were == nil || are == nil || were.Kind != yaml.SequenceNode || are.Kind != yaml.SequenceNode {
		return nil
	}
	indexes := make(map[string]int, len(were.Content))
	for i, entry := range were.Content {
		indexes[KeyOf(name, node.Resolve(entry))] = i
	}
	var keys []string
	for _, entry := range are.Content {
		if key := KeyOf(name, node.Resolve(entry)); has(indexes, key) {
			keys = append(keys, key)
		}
	}
	moved := map[string]bool{}
	highest, lowest := -1, math.MaxInt
	for _, key := range keys { // what stood behind one that follows it now
		highest = max(highest, indexes[key])
		if indexes[key] < highest {
			moved[key] = true
		}
	}
	for i := len(keys) - 1; i >= 0; i-- { // and the other way round
		lowest = min(lowest, indexes[keys[i]])
		if indexes[keys[i]] > lowest {
			moved[keys[i]] = true
		}
	}
	return moved
}

func has[V any](m map[string]V, key string) bool {
	_, known := m[key]
	return known
}
