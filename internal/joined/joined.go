// Package joined adds text to a value that is a list of elements with a separator between them, such as PYTHONPATH, and finds it there.
//
// What is added is a part: one element or several in a row, such as the two of "--require /agent.js".
package joined

import (
	"slices"
	"strings"
)

// Part is a text that is joined to a value.
type Part struct {
	Text string
	// Before is whether it goes before the value that is there, and not after it.
	Before bool
}

// Has reports whether a value has the elements of a part, in a row.
func Has(value, separator, part string) bool {
	return strings.Contains(separator+value+separator, separator+part+separator)
}

// Add returns a value with one more part, before or after the rest. It goes behind those of the other parts that are before the rest as
// well. An empty value has no elements.
func Add(value, separator string, part Part, others []Part) string {
	elements := Split(value, separator, others)
	at := len(elements)
	if part.Before {
		isBefore := map[string]bool{}
		for _, other := range others {
			isBefore[other.Text] = other.Before
		}
		for at = 0; at < len(elements) && isBefore[elements[at]]; {
			at++
		}
	}
	return strings.Join(slices.Insert(elements, at, part.Text), separator)
}

// Split returns the elements of a value, with each of the parts as one element where it is in the value. Of several places, a part that
// goes before the rest is at the first one, and others are at the last one. Longer parts are found first, because a shorter one may be
// a piece of one.
func Split(value, separator string, parts []Part) []string {
	if value == "" {
		return nil
	}
	elements := strings.Split(value, separator)
	places := map[string][]int{} // the indexes of an element
	for i, element := range elements {
		places[element] = append(places[element], i)
	}
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b Part) int {
		return strings.Count(b.Text, separator) - strings.Count(a.Text, separator)
	})
	taken := make([]int, len(elements)) // how many elements the part has that begins here; -1 for its other elements
	for _, part := range parts {
		take(elements, taken, places, part, separator)
	}
	return merge(elements, taken, separator)
}

// maxPlaces is how many places are compared with a part, so that the time is not quadratic in a value that repeats an element.
const maxPlaces = 64

// take marks the elements of a part as taken, unless the part is not there.
func take(elements []string, taken []int, places map[string][]int, part Part, separator string) {
	wanted := strings.Split(part.Text, separator)
	candidates := slices.Values(places[wanted[0]])
	if !part.Before {
		candidates = func(yield func(int) bool) {
			for _, i := range slices.Backward(places[wanted[0]]) {
				if !yield(i) {
					return
				}
			}
		}
	}
	tried := 0
	for i := range candidates {
		if tried++; tried > maxPlaces {
			return
		}
		if end := i + len(wanted); end <= len(elements) && slices.Equal(elements[i:end], wanted) && !slices.ContainsFunc(taken[i:end], isTaken) {
			taken[i] = len(wanted)
			for j := i + 1; j < end; j++ {
				taken[j] = -1
			}
			return
		}
	}
}

func isTaken(count int) bool { return count != 0 }

// merge returns the elements, with those of each part as one.
func merge(elements []string, taken []int, separator string) []string {
	merged := make([]string, 0, len(elements))
	for i := 0; i < len(elements); i += max(1, taken[i]) {
		merged = append(merged, strings.Join(elements[i:i+max(1, taken[i])], separator))
	}
	return merged
}
