package pod

import (
	"slices"
	"strings"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// Knows reports whether something that looks like a pod is at a place where the kind has pod templates, or bare pod specs.
func (k Kind) Knows(found Found) bool {
	isFound := func(place string) bool { return isAt(place, found.Path) }
	isItsSpec := func(place string) bool { return isAt(place, found.Path+".spec") }
	if found.IsBare {
		return slices.ContainsFunc(k.Specs, isFound)
	}
	return slices.ContainsFunc(k.Paths, isFound) || slices.ContainsFunc(k.Specs, isItsSpec)
}

// isAt reports whether a path leads to a place. The step * of a place stands for any step.
func isAt(place, path string) bool {
	for step := range strings.SplitSeq(place, ".") {
		name, rest, _ := strings.Cut(path, ".")
		if step != name && step != "*" {
			return false
		}
		path = rest
	}
	return path == ""
}

// HasWildcard reports whether a place is one for each of the keys that an object has there. A config cannot declare it.
func HasWildcard(place string) bool { return strings.Contains(place, "*") }

// Lacking returns the place of pods that the kind makes in an object although there is no template for them, or "".
func (k Kind) Lacking(object *node.Node) string {
	isThere := func(place string) bool { return !node.IsNull(node.Get(object, strings.Split(place, ".")...)) }
	for _, part := range k.Parts {
		if !slices.ContainsFunc(part, isThere) {
			return part[0]
		}
	}
	return ""
}
