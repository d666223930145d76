package learn

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/util/intstr"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/jsonfield"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/variable"
	"pillion.dev/pillion/internal/yaml/node"
)

// generaliser finds one value that stands for those of several pods: the same one, or one with variables.
type generaliser struct {
	samples   []sample        // whose values, or parts of them, are generalised
	sources   func() []source // the variables of all samples
	container string          // the name of the container that the values are in, if annotations may override them
	path      string          // inside of it
	overrides map[string]bool // the paths that annotations set, which is added to
	isWhole   bool            // no part can be left out
}

// of returns the value that stands for all samples of an addition, or nil if there is none.
func (g generaliser) of(a *addition) *node.Node {
	g.samples = a.samples
	g.sources = sync.OnceValue(g.allSources)
	values := make([]*node.Node, len(a.samples))
	for i, s := range a.samples {
		values[i] = s.value
	}
	return g.value(values, typeAt(a.path), pod.Of(a.path...))
}

// value returns the value that stands for all, or nil if there is none. Parts that are not in all of them are left out.
func (g generaliser) value(all []*node.Node, t reflect.Type, row *pod.Row) *node.Node {
	first := all[0]
	switch {
	case !slices.ContainsFunc(all, func(n *node.Node) bool { return !node.Equal(n, first) }):
		return escaped(first)
	case slices.ContainsFunc(all, func(n *node.Node) bool { return n.Kind != first.Kind }):
		return nil
	case first.Kind == node.ScalarNode:
		return g.scalar(all, t)
	}
	keys, parts := partsOf(all, row)
	result, inside, child := node.Mapping(), g, pod.Element(t)
	isList := first.Kind == node.SequenceNode
	if isList {
		result, inside.container, inside.isWhole = node.Sequence(), "", true // of an entry, everything or nothing
	}
	for _, key := range keys {
		if !isList {
			child, inside.path = pod.Type(t, key), strings.TrimPrefix(g.path+"."+key, ".")
		}
		var value *node.Node
		if len(parts[key]) == len(all) {
			value = inside.value(parts[key], child, row.Child(key))
		}
		switch {
		case value == nil && isRequired(t, key):
			value = escaped(parts[key][0])
		case value == nil && (g.isWhole || isList && !row.IsKeyed()):
			return nil
		case value == nil:
			continue
		}
		if !isList {
			result.Content = append(result.Content, node.String(key))
		}
		result.Content = append(result.Content, value)
	}
	if len(result.Content) == 0 {
		return nil
	}
	return result
}

// partsOf returns the fields or entries of values by their keys, or in a list without keys by their indexes.
func partsOf(all []*node.Node, row *pod.Row) (keys []string, parts map[string][]*node.Node) {
	parts = map[string][]*node.Node{}
	for _, n := range all {
		of, byKey := childrenOf(n, row)
		for i, key := range of {
			part := byKey[key]
			if n.Kind == node.SequenceNode && !row.IsKeyed() {
				key = strconv.Itoa(i)
			}
			if parts[key] == nil {
				keys = append(keys, key)
			}
			parts[key] = append(parts[key], part)
		}
	}
	return keys, parts
}

// isRequired reports whether a field cannot be left out.
func isRequired(t reflect.Type, key string) bool {
	if t = pod.Pointed(t); t == nil || t.Kind() != reflect.Struct {
		return false
	}
	field := jsonfield.Of(t).Named(key)
	return key == "image" || field != nil && field.Required
}

const (
	maxComposed  = 4 << 10 // the length of the longest text in which variables are found
	maxVariables = 100     // as many labels and annotations of a pod as people may have
)

// scalar returns a scalar with variables, or one that an annotation of the pod overrides, or nil.
func (g generaliser) scalar(all []*node.Node, t reflect.Type) *node.Node {
	if g.container != "" {
		override := g.source(variable.PodAnnotations, v1alpha1.OverridePrefix+g.container+"."+g.path)
		if fallback := override.fallback(all); fallback != nil {
			g.overrides[g.path] = true
			return escaped(fallback)
		}
	}
	canVary := func(n *node.Node) bool {
		return node.IsString(n) || pod.Pointed(t) == reflect.TypeFor[intstr.IntOrString]()
	}
	if slices.ContainsFunc(all, func(n *node.Node) bool { return !canVary(n) || len(n.Value) > maxComposed }) {
		return nil
	}
	if text, found := compose(all, g.sources()); found {
		return node.String(text)
	}
	for _, s := range g.sources() {
		if fallback := s.fallback(all); fallback != nil && !strings.ContainsAny(fallback.Value, "{}") {
			return node.String(strings.TrimSuffix(s.Written(), "}") + ":-" + fallback.Value + "}")
		}
	}
	return nil
}

// source is a variable with its values for all samples, which are empty where it has none.
type source struct {
	variable.Segment
	values []string
}

func (g generaliser) source(name, key string) source {
	s := source{variable.Segment{Name: name, Key: key}, make([]string, len(g.samples))}
	for i, one := range g.samples {
		s.values[i], _ = one.subject.Value(name, key)
	}
	return s
}

// fallback returns the value where a variable has none, if it is the same everywhere, and the variable has the other values, or nil.
func (s source) fallback(all []*node.Node) (fallback *node.Node) {
	isSet := false
	for i, n := range all {
		switch value := s.values[i]; {
		case value == "" && (fallback == nil || fallback.Value == n.Value):
			fallback = n
		case value == "" || value != n.Value:
			return nil
		default:
			isSet = true
		}
	}
	if !isSet {
		return nil
	}
	return fallback
}

// allSources returns all variables of the samples.
func (g generaliser) allSources() (sources []source) {
	for _, name := range []string{
		variable.WorkloadName, variable.WorkloadNamespace, variable.ContainerName, variable.ContainerImage, variable.ContainerPort,
	} {
		sources = append(sources, g.source(name, ""))
	}
	known := map[[2]string]bool{}
	addKeys := func(name string, of *node.Node) {
		for key := range node.Fields(of) {
			if at := [2]string{name, key}; !known[at] && len(known) < maxVariables {
				known[at] = true
				sources = append(sources, g.source(name, key))
			}
		}
	}
	for _, s := range g.samples {
		addKeys(variable.PodLabels, s.subject.Labels)
		addKeys(variable.PodAnnotations, s.subject.Annotations)
	}
	return append(sources, g.source(variable.WorkloadKind, ""))
}

// compose returns a text with variables that stands for several texts. A variable begins and ends where a word does. The longest counts.
func compose(all []*node.Node, sources []source) (string, bool) {
	isFixed := func(s source) bool {
		return slices.Contains(s.values, "") || len(slices.Compact(slices.Clone(s.values))) == 1
	}
	sources = slices.DeleteFunc(slices.Clone(sources), isFixed)
	slices.SortStableFunc(sources, func(a, b source) int { return len(b.values[0]) - len(a.values[0]) })
	composed, rest := "", make([]string, len(all))
	for i, n := range all {
		rest[i] = n.Value
	}
	// skip goes on behind a part of each text, or returns false.
	skip := func(parts []string) bool {
		next := make([]string, len(rest))
		for i, part := range parts {
			behind, isThere := strings.CutPrefix(rest[i], part)
			if !isThere || !isBoundary(rest[i], len(part)) {
				return false
			}
			next[i] = behind
		}
		rest = next
		return true
	}
	for rest[0] != "" {
		word := firstWord(rest[0])
		switch i := slices.IndexFunc(sources, func(s source) bool { return skip(s.values) }); {
		case i >= 0:
			composed += sources[i].Written()
		case skip(slices.Repeat([]string{word}, len(rest))):
			composed += escapedText(word)
		default:
			return "", false
		}
	}
	return composed, !slices.ContainsFunc(rest, func(text string) bool { return text != "" })
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
