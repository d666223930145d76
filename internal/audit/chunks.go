package audit

import "iter"

// Limits on what is in memory as nodes at a time: pods or workloads, and about how many bytes of their texts. Nodes may
// take a hundred times as much memory as the text, and the engine copies them.
const (
	chunk      = 500
	chunkBytes = 4 << 20
)

// chunks returns the parts of a list that are within the limits, given the bytes of an entry. A part has at least one
// entry.
func chunks[E any](list []E, bytesOf func(E) int) iter.Seq[[]E] {
	return func(yield func([]E) bool) {
		start, size := 0, 0
		for i, entry := range list {
			bytes := bytesOf(entry)
			if i > start && (i-start == chunk || size+bytes > chunkBytes) {
				if !yield(list[start:i]) {
					return
				}
				start, size = i, 0
			}
			size += bytes
		}
		if start < len(list) {
			yield(list[start:])
		}
	}
}
