// Package joined adds text to a value that is a list of elements with a separator between them, such as PYTHONPATH, and
// finds it there.
//
// What is added is a part: one element or several in a row, such as the two of "--require /agent.js". A value is the
// parts before the app's text, that text, and the parts after it: Add makes it, and Remove takes it apart.
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

// Add returns the app's text with parts around it, in their order. An empty text has no elements.
func Add(app, separator string, parts []Part) string {
	var all, after []string
	for _, part := range parts {
		if part.Before {
			all = append(all, part.Text)
		} else {
			after = append(after, part.Text)
		}
	}
	if app != "" {
		all = append(all, app)
	}
	return strings.Join(append(all, after...), separator)
}

// Remove returns the app's text in a value, and those of the parts that the value has, in their order there. The app's
// text is what is left without the parts: a person may have written something between them. Parts of the same text are
// one part.
func Remove(value, separator string, parts []Part) (app string, found []Part) {
	if value == "" {
		return "", nil
	}
	s := search{elements: strings.Split(value, separator)}
	s.owners = make([]int, len(s.elements))
	var before, after []candidate
	s.room = len(s.elements)
	isKnown := map[string]bool{}
	for i, part := range parts {
		if isKnown[part.Text] {
			continue
		}
		isKnown[part.Text] = true
		c := candidate{number: i + 1, elements: strings.Split(part.Text, separator)}
		s.room += len(c.elements)
		if part.Before {
			before = append(before, c)
			continue
		}
		slices.Reverse(c.elements)
		after = append(after, c)
	}
	s.room *= maxTries
	s.reverse()
	s.take(after)
	s.reverse()
	s.take(before)
	var rest []string
	for i, part := range s.owners {
		if part == 0 {
			rest = append(rest, s.elements[i])
		} else if i == 0 || s.owners[i-1] != part {
			found = append(found, parts[part-1])
		}
	}
	return strings.Join(rest, separator), found
}

// maxTries limits how many elements are compared with those of parts: so many times those that there are. Parts at
// their ends of a value come first, so that they are found even if many begin with the same element.
const maxTries = 64

// search finds parts among the elements of a value.
type search struct {
	elements []string
	owners   []int // the numbers of the parts that the elements belong to, or 0
	room     int   // how many elements may still be compared
}

// candidate is a part that a search looks for.
type candidate struct {
	number   int
	elements []string
}

// reverse lets the search begin at the other end.
func (s *search) reverse() {
	slices.Reverse(s.elements)
	slices.Reverse(s.owners)
}

// take finds parts, each once, from the beginning on. Where several begin, it takes the longest, because a shorter one
// may be a piece of it.
func (s *search) take(parts []candidate) {
	slices.SortStableFunc(parts, func(a, b candidate) int { return len(b.elements) - len(a.elements) })
	byFirst := map[string][]candidate{}
	for _, part := range parts {
		byFirst[part.elements[0]] = append(byFirst[part.elements[0]], part)
	}
	for at := 0; at < len(s.elements) && s.room > 0; at++ {
		candidates := byFirst[s.elements[at]]
		index := slices.IndexFunc(candidates, func(part candidate) bool { return s.isAt(at, part.elements) })
		if index < 0 {
			continue
		}
		for i := range candidates[index].elements {
			s.owners[at+i] = candidates[index].number
		}
		byFirst[s.elements[at]] = slices.Delete(candidates, index, index+1)
	}
}

// isAt reports whether the elements of a part begin at an index, and belong to no other part.
func (s *search) isAt(at int, part []string) bool {
	s.room -= len(part)
	end := at + len(part)
	return end <= len(s.elements) && slices.Equal(s.elements[at:end], part) &&
		!slices.ContainsFunc(s.owners[at:end], func(part int) bool { return part != 0 })
}
