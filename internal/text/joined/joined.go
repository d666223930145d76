// Package joined adds text to a value that is a list of elements with a separator between them, such as PYTHONPATH, and
// finds it there.
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

// MaxFound is the length of the longest part that Find finds. It looks no further than this from the end of a value
// either, and not at more text in all, so that hostile values take no longer.
const MaxFound = 1 << 16

// Find returns the elements in a row that have a length together and of which isPart is true: the first ones of the
// value, or the last.
func Find(value, separator string, length int, first bool, isPart func(text string) bool) (text string, ok bool) {
	framed := separator + value + separator
	for at, read := 0, 0; at+length+2*len(separator) <= len(framed) && max(at, read, length) <= MaxFound; at++ {
		from := at + len(separator)
		if !first {
			from = len(framed) - from - length
		}
		if !strings.HasSuffix(framed[:from], separator) || !strings.HasPrefix(framed[from+length:], separator) {
			continue
		}
		if text = framed[from : from+length]; isPart(text) {
			return text, true
		}
		read += length
	}
	return "", false
}

// Add returns a value with one more part, before or after the rest. Of several parts before the rest, the new one is
// the last; others are the parts that the value has already. An empty value has no elements.
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

// Remove returns a value without some of the parts that it has: without the first elements that are a part before the
// rest, or the last ones that are a part after it. Missing has the indexes of parts that the value does not have.
func Remove(value, separator string, parts, all []Part) (rest string, missing []int) {
	elements := Split(value, separator, all)
	places := map[string][]int{}
	for i, element := range elements {
		places[element] = append(places[element], i)
	}
	isGone := make([]bool, len(elements))
	for i, part := range parts {
		switch at := places[part.Text]; {
		case len(at) == 0:
			missing = append(missing, i)
		case part.Before:
			isGone[at[0]], places[part.Text] = true, at[1:]
		default:
			isGone[at[len(at)-1]], places[part.Text] = true, at[:len(at)-1]
		}
	}
	left := make([]string, 0, len(elements))
	for i, element := range elements {
		if !isGone[i] {
			left = append(left, element)
		}
	}
	return strings.Join(left, separator), missing
}

// Split returns the elements of a value, with each of the parts as one element where it is in the value. The parts are
// at the two ends, unless somebody has edited the value. A longer part is found before a shorter one, which may be a
// piece of it.
func Split(value, separator string, parts []Part) []string {
	if value == "" {
		return nil
	}
	s := &splitter{elements: strings.Split(value, separator)}
	s.ends, s.taken = make([]int, len(s.elements)), make([]bool, len(s.elements))
	for _, part := range parts {
		s.parts = append(s.parts, splitPart{elements: strings.Split(part.Text, separator), before: part.Before})
	}
	slices.SortStableFunc(s.parts, func(a, b splitPart) int { return len(b.elements) - len(a.elements) })
	s.takeEnds()
	s.takeRest()
	merged := make([]string, 0, len(s.elements))
	for i := 0; i < len(s.elements); {
		end := max(i+1, s.ends[i])
		merged = append(merged, strings.Join(s.elements[i:end], separator))
		i = end
	}
	return merged
}

// maxTries is how many parts are compared at one place, and how many places are compared with one part, so that the
// time is linear.
const maxTries = 64

// splitter finds parts in the elements of a value.
type splitter struct {
	elements []string
	parts    []splitPart // the longest first
	ends     []int       // where the part ends that begins at an element; 0 if none does
	taken    []bool      // the elements of parts
}

type splitPart struct {
	elements []string
	before   bool
	isFound  bool
}

// takeEnds finds the parts at the beginning and at the end of the value.
func (s *splitter) takeEnds() {
	heads, tails := map[string][]int{}, map[string][]int{} // the parts by their first and their last elements
	for i, part := range s.parts {
		if first, last := part.elements[0], part.elements[len(part.elements)-1]; part.before {
			heads[first] = append(heads[first], i)
		} else {
			tails[last] = append(tails[last], i)
		}
	}
	low, high := 0, len(s.elements)
	for low < high {
		count := s.take(tails[s.elements[high-1]], func(count int) (from int) { return high - count }, low, high)
		if count == 0 {
			break
		}
		high -= count
	}
	for low < high {
		count := s.take(heads[s.elements[low]], func(int) (from int) { return low }, low, high)
		if count == 0 {
			break
		}
		low += count
	}
}

// take finds the first of some parts that is at its place between two indexes, and returns how many elements it has, or
// 0.
func (s *splitter) take(candidates []int, place func(count int) (from int), low, high int) int {
	tried := 0
	for _, i := range candidates {
		part := &s.parts[i]
		if part.isFound {
			continue
		}
		tried++
		if tried > maxTries {
			break
		}
		if from := place(len(part.elements)); from >= low && from+len(part.elements) <= high && s.takeAt(part, from) {
			return len(part.elements)
		}
	}
	return 0
}

// takeAt takes the elements from an index on for a part, and reports whether they are those of the part and no other
// has them.
func (s *splitter) takeAt(part *splitPart, from int) bool {
	to := from + len(part.elements)
	if to > len(s.elements) || !slices.Equal(s.elements[from:to], part.elements) || slices.Contains(s.taken[from:to], true) {
		return false
	}
	part.isFound, s.ends[from] = true, to
	for i := from; i < to; i++ {
		s.taken[i] = true
	}
	return true
}

// takeRest finds the other parts anywhere: those that go before the rest at their first place, and those that go after
// it at their last.
func (s *splitter) takeRest() {
	var places map[string][]int // the indexes of elements; nil until it is needed
	for i := range s.parts {
		part := &s.parts[i]
		if part.isFound {
			continue
		}
		if places == nil {
			places = map[string][]int{}
			for i, element := range s.elements {
				places[element] = append(places[element], i)
			}
		}
		candidates := places[part.elements[0]]
		for tried := range min(len(candidates), maxTries) {
			from := candidates[tried]
			if !part.before {
				from = candidates[len(candidates)-1-tried]
			}
			if s.takeAt(part, from) {
				break
			}
		}
	}
}
