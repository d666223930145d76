package learn

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/util/intstr"

	"pillion.dev/pillion/internal/config/variable"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// generaliser finds one value that stands for those of several pods: the one that all or most of them have, or one with
// variables.
type generaliser struct {
	samples  []sample        // whose values, or parts of them, are generalised
	sources  func() []source // the variables of all samples
	isWhole  bool            // no part can be left out
	isNeeded bool            // the most common value is better than none
}

// part is the value of a sample, by its index, or a part of the value.
type part struct {
	sample int
	value  *node.Node
}

// of returns the value that stands for all samples of an addition, or nil if there is none.
func (g generaliser) of(a *addition) *node.Node {
	g.samples = a.samples
	g.sources = sync.OnceValue(g.allSources)
	all := make([]part, len(a.samples))
	for i, s := range a.samples {
		all[i] = part{i, s.value}
	}
	return g.value(all, typeAt(a.path), pod.Of(a.path...))
}

// value returns the value that stands for all, or nil if there is none.
func (g generaliser) value(all []part, t reflect.Type, row *pod.Row) *node.Node {
	common := mostCommon(all, canonical)
	count := len(common)
	value := escaped(common[0].value)
	if count < len(all) {
		if isCollection := haveKind(all, node.MappingNode) || haveKind(all, node.SequenceNode); isCollection {
			if general := g.collection(all, t, row); general != nil || !g.isNeeded {
				return general
			}
		} else if canVary(all, t) {
			text, found := g.compose(all)
			if withDefault := g.withDefault(all); withDefault != nil && len(found) < len(all) {
				return withDefault
			}
			if len(found) >= count {
				count = len(found)
				value = node.String(text)
			}
		}
	}
	if 2*count <= len(all) && !g.isNeeded {
		return nil
	}
	return value
}

func haveKind(all []part, kind node.Kind) bool {
	return !slices.ContainsFunc(all, func(p part) bool { return p.value.Kind != kind })
}

// collection is value for mappings, or for lists. Parts that most of them do not have, or not the same, are left out.
func (g generaliser) collection(all []part, t reflect.Type, row *pod.Row) *node.Node {
	keys, parts := partsOf(all, row)
	result, inside, child := node.Mapping(), g, pod.Element(t)
	isList := all[0].value.Kind == node.SequenceNode
	if isList {
		result, inside.isWhole = node.Sequence(), true // of an entry, everything or nothing
	}
	for _, key := range keys {
		if !isList {
			child = pod.Type(t, key)
		}
		if 2*len(parts[key]) <= len(all) {
			continue // most do not have it
		}
		inside.isNeeded = key == "image" // without which there is no container
		value := inside.value(parts[key], child, row.Child(key))
		switch {
		case value == nil && (g.isWhole || isList && !row.IsKeyed()):
			return nil
		case value == nil:
			continue
		case !isList:
			result.Content = append(result.Content, node.String(key))
		}
		result.Content = append(result.Content, value)
	}
	if len(result.Content) == 0 {
		return nil
	}
	return result
}

// mostCommon returns those that have the key that most of them have.
func mostCommon[T any](all []T, key func(T) string) (found []T) {
	byKey := map[string][]T{}
	for _, one := range all {
		of := key(one)
		byKey[of] = append(byKey[of], one)
		if len(byKey[of]) > len(found) {
			found = byKey[of]
		}
	}
	return found
}

func canonical(p part) string { return string(node.AppendCanonical(nil, p.value)) }

// partsOf returns the fields or entries of values by their keys, or in a list without keys by their indexes.
func partsOf(all []part, row *pod.Row) (keys []string, parts map[string][]part) {
	parts = map[string][]part{}
	for _, p := range all {
		of, byKey := childrenOf(p.value, row)
		for i, key := range of {
			child := byKey[key]
			if p.value.Kind == node.SequenceNode && !row.IsKeyed() {
				key = strconv.Itoa(i)
			}
			if parts[key] == nil {
				keys = append(keys, key)
			}
			parts[key] = append(parts[key], part{p.sample, child})
		}
	}
	return keys, parts
}

const (
	maxComposed  = 4 << 10 // the length of the longest text in which variables are found
	maxVariables = 100     // as many labels and annotations of a pod as people may have
)

// canVary reports whether values may have variables.
func canVary(all []part, t reflect.Type) bool {
	return !slices.ContainsFunc(all, func(p part) bool {
		isText := node.IsString(p.value) || pod.Pointed(t) == reflect.TypeFor[intstr.IntOrString]()
		return !isText || len(p.value.Value) > maxComposed
	})
}

// source is a variable with its values for all samples, which are empty where it has none.
type source struct {
	variable.Segment
	values  []string
	missing int // samples without a value
}

func (g generaliser) source(name, key string, valueOf func(sample) string) source {
	s := source{Segment: variable.Segment{Name: name, Key: key}}
	for _, one := range g.samples {
		value := valueOf(one)
		s.values = append(s.values, value)
		if value == "" {
			s.missing++
		}
	}
	return s
}

// allSources returns all variables of the samples.
func (g generaliser) allSources() (sources []source) {
	for _, name := range []string{
		variable.WorkloadName, variable.WorkloadNamespace, variable.ContainerName, variable.ContainerImage, variable.ContainerPort,
		variable.WorkloadKind,
	} {
		sources = append(sources, g.source(name, "", func(s sample) string {
			value, _ := s.subject.Value(name, "")
			return value
		}))
	}
	known := map[[2]string]bool{}
	for _, s := range g.samples {
		for _, of := range [][2]string{{"labels", variable.PodLabels}, {"annotations", variable.PodAnnotations}} {
			for _, key := range s.pair.keys(of[0], nil) {
				at := [2]string{of[0], key}
				if !known[at] && len(known) < maxVariables {
					known[at] = true
					valueOf := func(s sample) string { return s.pair.text(of[0], key) }
					sources = append(sources, g.source(of[1], key, valueOf))
				}
			}
		}
	}
	return sources
}

// withDefault returns a variable with the value that the pods without it have, or nil. One pod without the variable
// does not tell what the others would have without it.
func (g generaliser) withDefault(all []part) *node.Node {
	for _, s := range g.sources() {
		hasValue := func(p part) bool { return p.value.Value != "" && p.value.Value == s.values[p.sample] }
		rest := slices.DeleteFunc(slices.Clone(all), hasValue)
		if len(rest) < 2 || len(rest) == len(all) || strings.ContainsAny(rest[0].value.Value, "{}") {
			continue
		}
		isOther := func(p part) bool { return s.values[p.sample] != "" || p.value.Value != rest[0].value.Value }
		if !slices.ContainsFunc(rest, isOther) {
			return node.String(strings.TrimSuffix(s.Written(), "}") + ":-" + rest[0].value.Value + "}")
		}
	}
	return nil
}

// compose returns a text with variables that stands for several texts, and for which of them: all, or as many as
// possible. A variable begins and ends where a word does. The longest counts.
func (g generaliser) compose(all []part) (composed string, found []part) {
	rest := all // the values are what is not yet expressed
	sources := slices.Clone(g.sources())
	slices.Reverse(sources) // the last one that explains as many counts
	first := all[0].sample
	slices.SortStableFunc(sources, func(a, b source) int { return len(a.values[first]) - len(b.values[first]) })
	for {
		next := mostCommon(rest, func(p part) string { return firstWord(p.value.Value) })
		word := firstWord(next[0].value.Value)
		if word == "" {
			return composed, next
		}
		next = behind(next, func(int) string { return word })
		written := escapedText(word)
		for _, s := range sources {
			explained := behind(rest, func(sample int) string { return s.values[sample] })
			isOther := func(p part) bool { return s.values[p.sample] != s.values[explained[0].sample] }
			// A pod without the variable is refused, so that only one may lack it.
			if len(explained) >= len(next) && s.missing <= 1 && slices.ContainsFunc(explained, isOther) {
				next = explained
				written = s.Written()
			}
		}
		if 2*len(next) <= len(all) {
			return "", nil
		}
		composed, rest = composed+written, next
	}
}

// behind returns what is behind a part of texts, of those that have it.
func behind(texts []part, of func(sample int) string) (found []part) {
	for _, p := range texts {
		text, value := p.value.Value, of(p.sample)
		after, isThere := strings.CutPrefix(text, value)
		if isThere && value != "" && isBoundary(text, len(value)) {
			found = append(found, part{p.sample, node.String(after)})
		}
	}
	return found
}

// firstWord returns the first word of a text, or what is between two.
func firstWord(text string) string {
	for i := 1; i < len(text); i++ {
		if isBoundary(text, i) && text[i-1:i+1] != "${" { // which is escaped as a whole
			return text[:i]
		}
	}
	return text
}

// isBoundary reports whether a word can begin or end at an offset of a text.
func isBoundary(text string, at int) bool {
	isWord := func(b byte) bool { return b >= 0x80 || b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z' }
	return at == 0 || at >= len(text) || !isWord(text[at-1]) || !isWord(text[at])
}

// escaped returns a copy of a value in which nothing is a variable.
func escaped(n *node.Node) *node.Node {
	n = node.Fresh(n)
	node.Visit(n, func(n *node.Node) { n.Value = escapedText(n.Value) })
	return n
}

func escapedText(text string) string { return strings.ReplaceAll(text, "${", "$${") }
