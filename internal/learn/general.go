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

// generaliser finds one value that stands for those of several pods: the one that all or most of them have, or one with
// variables.
type generaliser struct {
	samples     []sample        // whose values, or parts of them, are generalised
	sources     func() []source // the variables of all samples
	path        []string        // of the values, as differences have it
	container   string          // the name of the container that the values are in, if annotations may override them
	overrides   map[string]bool // the paths in the container that annotations set, which is added to
	votes       votes           // which is added to
	isWhole     bool            // no part can be left out
	isNeeded    bool            // the most common value is better than none
	isUnanimous bool            // most of the pods are not enough
}

// votes are how many of the pods have what was chosen, by its path, if not all of them have it.
type votes map[string]vote

type vote struct{ count, of int }

func pathKey(path []string) string { return strings.Join(path, "\x00") }

// part is the value of a sample, by its index, or a part of the value.
type part struct {
	sample int
	value  *node.Node
}

// of returns the value that stands for all samples of an addition, or nil if there is none.
func (g generaliser) of(a *addition) *node.Node {
	g.samples = a.samples
	g.sources = sync.OnceValue(g.allSources)
	g.path = a.path
	all := make([]part, len(a.samples))
	for i, s := range a.samples {
		all[i] = part{i, s.value}
	}
	return g.neededValue(all, typeAt(a.path), pod.Of(a.path...))
}

// neededValue is like value, except that it returns the most common one if there is none and one is needed.
func (g generaliser) neededValue(all []part, t reflect.Type, row *pod.Row) *node.Node {
	value := g.value(all, t, row)
	if value == nil && g.isNeeded {
		common := mostCommon(all, canonical)
		g.votes[pathKey(g.path)] = vote{len(common), len(all)}
		value = escaped(common[0].value)
	}
	return value
}

// charge counts steps of work, and reports whether there may be more.
func (g generaliser) charge(steps int) bool { return g.samples[0].pair.work.Charge(steps) }

// elects reports whether some of all pods are enough to decide, and notes it if they are not all.
func (g generaliser) elects(some, all int, path []string) bool {
	if 2*some <= all || g.isUnanimous && some < all {
		return false
	}
	if some < all {
		g.votes[pathKey(path)] = vote{some, all}
	}
	return true
}

// value returns the value that stands for all, or nil if there is none. Parts that most of them do not have, or not the
// same, are left out.
func (g generaliser) value(all []part, t reflect.Type, row *pod.Row) *node.Node {
	first := all[0].value
	if !g.charge(len(all) * (1 + node.Weight(first))) {
		return nil
	}
	if !slices.ContainsFunc(all, func(p part) bool { return !node.Equal(p.value, first) }) {
		return escaped(first)
	}
	alike := mostCommon(all, func(p part) string {
		if p.value.Kind == node.SequenceNode && !row.IsKeyed() { // their entries are compared one by one
			return strconv.Itoa(len(p.value.Content))
		}
		return "kind " + strconv.Itoa(int(p.value.Kind))
	})
	switch {
	case !g.elects(len(alike), len(all), g.path):
		return nil
	case len(alike) < len(all):
		return g.value(alike, t, row)
	case first.Kind == node.ScalarNode:
		return g.scalar(all, t)
	}
	return g.collection(all, t, row)
}

// collection is value for mappings, or for lists.
func (g generaliser) collection(all []part, t reflect.Type, row *pod.Row) *node.Node {
	keys, parts := partsOf(all, row)
	result, inside, child := node.Mapping(), g, pod.Element(t)
	isList := all[0].value.Kind == node.SequenceNode
	if isList {
		result, inside.container, inside.isWhole = node.Sequence(), "", true // of an entry, everything or nothing
	}
	for _, key := range keys {
		inside.path = append(slices.Clone(g.path), key)
		if isList && !row.IsKeyed() {
			inside.path = g.path // differences have the list as a whole
		}
		if !isList {
			child = pod.Type(t, key)
		}
		if !g.elects(len(parts[key]), len(all), inside.path) {
			if g.isUnanimous {
				return nil
			}
			continue // most do not have it
		}
		inside.isNeeded = key == "image" && g.container != "" // without which there is no container
		value := inside.neededValue(parts[key], child, row.Child(key))
		switch {
		case value == nil && (g.isWhole || isRequired(t, key) || isList && !row.IsKeyed()):
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

// mostCommon returns the parts that have the key that most of them have.
func mostCommon(all []part, key func(part) string) (found []part) {
	byKey := map[string][]part{}
	for _, p := range all {
		of := key(p)
		byKey[of] = append(byKey[of], p)
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

// isRequired reports whether a field cannot be left out.
func isRequired(t reflect.Type, key string) bool {
	if t = pod.Pointed(t); t == nil || t.Kind() != reflect.Struct {
		return false
	}
	field := jsonfield.Of(t).Named(key)
	return field != nil && field.Required
}

const (
	maxComposed  = 4 << 10 // the length of the longest text in which variables are found
	maxVariables = 100     // as many labels and annotations of a pod as people may have
)

// scalar returns a scalar with variables, or one that an annotation of the pod overrides, or the one that most pods
// have, or nil.
func (g generaliser) scalar(all []part, t reflect.Type) *node.Node {
	if g.container != "" {
		field := strings.Join(g.path[3:], ".")
		override := g.source(variable.PodAnnotations, v1alpha1.OverridePrefix+g.container+"."+field)
		if fallback, _ := override.fallback(all); fallback != nil {
			g.overrides[field] = true
			return escaped(fallback)
		}
	}
	canVary := func(p part) bool {
		isText := node.IsString(p.value) || pod.Pointed(t) == reflect.TypeFor[intstr.IntOrString]()
		return isText && len(p.value.Value) <= maxComposed
	}
	if !slices.ContainsFunc(all, func(p part) bool { return !canVary(p) }) {
		text, found := g.compose(all)
		if len(found) == len(all) {
			return node.String(text)
		}
		for _, s := range g.sources() {
			// One pod without the variable does not tell what the others would have without it.
			fallback, count := s.fallback(all)
			if count > 1 && !strings.ContainsAny(fallback.Value, "{}") {
				return node.String(strings.TrimSuffix(s.Written(), "}") + ":-" + fallback.Value + "}")
			}
		}
		if g.elects(len(found), len(all), g.path) {
			return node.String(text)
		}
	}
	common := mostCommon(all, canonical)
	if !g.elects(len(common), len(all), g.path) {
		return nil
	}
	return escaped(common[0].value)
}

// source is a variable with its values for all samples, which are empty where it has none.
type source struct {
	variable.Segment
	values []string
}

func (g generaliser) source(name, key string) source {
	s := source{variable.Segment{Name: name, Key: key}, make([]string, len(g.samples))}
	for i, one := range g.samples {
		for _, of := range []*node.Node{one.subject.Labels, one.subject.Annotations} {
			if of != nil && !g.charge(len(of.Content)) {
				return s
			}
		}
		s.values[i], _ = one.subject.Value(name, key)
	}
	return s
}

// fallback returns the value where a variable has none, if it is the same everywhere, and the variable has the other
// values, or nil. The count is that of the pods without the variable.
func (s source) fallback(all []part) (fallback *node.Node, count int) {
	for _, p := range all {
		switch value := s.values[p.sample]; {
		case value == "" && (fallback == nil || fallback.Value == p.value.Value):
			fallback = p.value
			count++
		case value == "" || value != p.value.Value:
			return nil, 0
		}
	}
	if count == len(all) {
		return nil, 0
	}
	return fallback, count
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

// compose returns a text with variables that stands for several texts, and for which of them: all, or as many as
// possible. A variable begins and ends where a word does. The longest counts.
func (g generaliser) compose(all []part) (composed string, found []part) {
	rest := all // the values are what is not yet expressed
	sources := slices.Clone(g.sources())
	first := all[0].sample
	slices.SortStableFunc(sources, func(a, b source) int { return len(b.values[first]) - len(a.values[first]) })
	for {
		next := mostCommon(rest, func(p part) string { return firstWord(p.value.Value) })
		word := firstWord(next[0].value.Value)
		if word == "" {
			return composed, next
		}
		next = behind(next, func(int) string { return word })
		written, least := escapedText(word), len(next)-1 // a variable that explains as many is better
		for _, s := range sources {
			explained := behind(rest, func(sample int) string { return s.values[sample] })
			if len(explained) > least && s.tells(explained, rest) {
				next, written, least = explained, s.Written(), len(explained)
			}
		}
		if 2*len(next) <= len(all) || !g.charge(len(rest)*len(sources)) {
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

// tells reports whether a variable explains values: they are not all the same, and at most one pod lacks it, for which
// it is then required.
func (s source) tells(found, all []part) bool {
	missing := 0
	for _, p := range all {
		if s.values[p.sample] == "" {
			missing++
		}
	}
	isOther := func(p part) bool { return s.values[p.sample] != s.values[found[0].sample] }
	return missing <= 1 && slices.ContainsFunc(found, isOther)
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
