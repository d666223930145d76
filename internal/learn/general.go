package learn

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/intstr"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/jsonfield"
	"pillion.dev/pillion/internal/meter"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/variable"
	"pillion.dev/pillion/internal/yaml/node"
)

// generaliser finds one value that stands for those of several pods: the same one, or one with variables.
type generaliser struct{ steps *meter.Meter }

// seen is a value that a pod, or one of its containers, has.
type seen struct {
	value *node.Node
	in    variable.Subject
}

// where is where values are.
type where struct {
	container string          // the name of the container that they are in, if annotations may override them
	path      string          // inside of it
	overrides map[string]bool // the paths that annotations set, which is added to
	whole     bool            // no part can be left out
}

// value returns the value that stands for all, or nil if there is none. Parts that are not in all of them are left out.
func (g *generaliser) value(all []seen, t reflect.Type, row *pod.Row, c where) *node.Node {
	first := all[0].value
	switch {
	case !slices.ContainsFunc(all, func(s seen) bool { return !node.Equal(s.value, first) }):
		return escaped(first)
	case slices.ContainsFunc(all, func(s seen) bool { return s.value.Kind != first.Kind }):
		return nil
	case first.Kind == node.ScalarNode:
		return g.scalar(all, t, c)
	}
	keys, parts, isWhole := g.parts(all, row)
	result, inside, child := node.Mapping(), c, pod.Element(t)
	if first.Kind == node.SequenceNode {
		result, inside.container, inside.whole = node.Sequence(), "", true // of an entry, everything or nothing
	}
	for _, key := range keys {
		if first.Kind == node.MappingNode {
			child, inside.path = pod.Type(t, key), strings.TrimPrefix(c.path+"."+key, ".")
		}
		var value *node.Node
		if len(parts[key]) == len(all) {
			value = g.value(parts[key], child, row.Child(key), inside)
		}
		switch {
		case value == nil && isRequired(t, key):
			value = escaped(parts[key][0].value)
		case value == nil && (c.whole || isWhole):
			return nil
		case value == nil:
			continue
		}
		if first.Kind == node.MappingNode {
			result.Content = append(result.Content, node.String(key))
		}
		result.Content = append(result.Content, value)
	}
	if len(result.Content) == 0 {
		return nil
	}
	return result
}

// parts returns the fields or entries of values, by their keys or in a list without keys by their indexes, which then belong together.
func (g *generaliser) parts(all []seen, row *pod.Row) (keys []string, parts map[string][]seen, isWhole bool) {
	isWhole = all[0].value.Kind == node.SequenceNode && !row.IsKeyed()
	parts = map[string][]seen{}
	for _, s := range all {
		of, byKey := childrenOf(s.value, row)
		for i, key := range of {
			child := byKey[key]
			if isWhole {
				key = strconv.Itoa(i)
			}
			if parts[key] == nil {
				keys = append(keys, key)
			}
			parts[key] = append(parts[key], seen{child, s.in})
		}
	}
	return keys, parts, isWhole
}

// isRequired reports whether a field cannot be left out.
func isRequired(t reflect.Type, key string) bool {
	if t = pod.Pointed(t); t == nil || t.Kind() != reflect.Struct {
		return false
	}
	field := jsonfield.Of(t).Named(key)
	return key == "image" || field != nil && field.Required
}

// maxComposed is the length of the longest text in which variables are found.
const maxComposed = 4 << 10

// scalar returns a scalar with variables, or one that an annotation of the pod overrides, or nil.
func (g *generaliser) scalar(all []seen, t reflect.Type, c where) *node.Node {
	override := variable.Segment{Name: variable.PodAnnotations, Key: v1alpha1.OverridePrefix + c.container + "." + c.path}
	if c.container != "" {
		if fallback := g.fallback(all, override); fallback != nil {
			c.overrides[c.path] = true
			return escaped(fallback)
		}
	}
	canVary := func(s seen) bool {
		return node.IsString(s.value) || pod.Pointed(t) == reflect.TypeFor[intstr.IntOrString]()
	}
	if slices.ContainsFunc(all, func(s seen) bool { return !canVary(s) || len(s.value.Value) > maxComposed }) {
		return nil
	}
	known := g.variables(all)
	if text, found := g.compose(all, g.sources(all, known)); found {
		return node.String(text)
	}
	for _, s := range known {
		if fallback := g.fallback(all, s); fallback != nil && !strings.ContainsAny(fallback.Value, "{}") {
			return node.String(strings.TrimSuffix(s.Written(), "}") + ":-" + fallback.Value + "}")
		}
	}
	return nil
}

// fallback returns the value of all pods for which a variable has none, if it is the value of the others, or nil.
func (g *generaliser) fallback(all []seen, s variable.Segment) (fallback *node.Node) {
	isSet := false
	for _, one := range all {
		switch value, has := one.in.Value(s.Name, s.Key); {
		case !g.steps.Charge(1) || has && value != one.value.Value || !has && fallback != nil && fallback.Value != one.value.Value:
			return nil
		case has:
			isSet = true
		default:
			fallback = one.value
		}
	}
	if !isSet {
		return nil
	}
	return fallback
}

// variables returns those of pods, with as many labels and annotations as people may have.
func (g *generaliser) variables(all []seen) (segments []variable.Segment) {
	const most = 100
	for _, name := range []string{
		variable.WorkloadName, variable.WorkloadNamespace, variable.ContainerName, variable.ContainerImage, variable.ContainerPort,
	} {
		segments = append(segments, variable.Segment{Name: name})
	}
	known := map[variable.Segment]bool{}
	add := func(name string, from *node.Node) {
		for key := range node.Fields(from) {
			if len(known) == most || !g.steps.Charge(1) {
				return
			}
			if s := (variable.Segment{Name: name, Key: key}); !known[s] {
				known[s], segments = true, append(segments, s)
			}
		}
	}
	for _, s := range all {
		add(variable.PodLabels, s.in.Labels)
		add(variable.PodAnnotations, s.in.Annotations)
	}
	return append(segments, variable.Segment{Name: variable.WorkloadKind})
}

// source is a variable with its values for all pods.
type source struct {
	variable.Segment
	values []string
}

// sources returns those of the variables that have a value for all pods, and not the same one, those with the longest values first.
func (g *generaliser) sources(all []seen, of []variable.Segment) (sources []source) {
	for _, segment := range of {
		s, varies := source{Segment: segment}, false
		for _, one := range all {
			value, _ := one.in.Value(segment.Name, segment.Key)
			if value == "" || !g.steps.Charge(1) {
				break
			}
			s.values = append(s.values, value)
			varies = varies || value != s.values[0]
		}
		if varies && len(s.values) == len(all) {
			sources = append(sources, s)
		}
	}
	slices.SortStableFunc(sources, func(a, b source) int { return len(b.values[0]) - len(a.values[0]) })
	return sources
}

// compose returns a text with variables that stands for several texts. A variable begins and ends where a word does. The longest counts.
func (g *generaliser) compose(all []seen, sources []source) (string, bool) {
	composed, at := "", make([]int, len(all))
	// skip goes on behind a part that each text has, or returns false.
	skip := func(part func(i int) string) bool {
		next := make([]int, len(at))
		for i, s := range all {
			next[i] = at[i] + len(part(i))
			if !g.steps.Charge(1) || !strings.HasPrefix(s.value.Value[at[i]:], part(i)) || !isBoundary(s.value.Value, next[i]) {
				return false
			}
		}
		at = next
		return true
	}
	for {
		word := firstWord(all[0].value.Value[at[0]:])
		isSource := func(s source) bool { return skip(func(i int) string { return s.values[i] }) }
		switch i := slices.IndexFunc(sources, isSource); {
		case i >= 0:
			composed += sources[i].Written()
		case word == "":
			for i, s := range all {
				if at[i] < len(s.value.Value) {
					return "", false
				}
			}
			return composed, true
		case !skip(func(int) string { return word }):
			return "", false
		default:
			composed += escapedText(word)
		}
	}
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
	n = node.Copy(n)
	node.Visit(n, func(n *node.Node) { n.Value = escapedText(n.Value) })
	return n
}

func escapedText(text string) string { return strings.ReplaceAll(text, "${", "$${") }
