package learn

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/jsonfield"
	"pillion.dev/pillion/internal/meter"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/variable"
	"pillion.dev/pillion/internal/yaml/node"
)

// generaliser finds one value that stands for those of several pods: the same one, or one with variables.
type generaliser struct {
	pairs []*Pair
	steps *meter.Meter
}

// seen is a value that a pod, or one of its containers, has.
type seen struct {
	value *node.Node
	in    *variable.Subject
}

// where is where values are, and what is known about them.
type where struct {
	container string          // the name of the container that they are in, if it may have overrides
	path      string          // inside of it, through mappings
	overrides map[string]bool // the paths that annotations set, which is added to
	whole     bool            // parts cannot be left out
}

// value returns the value that stands for all, or nil if there is none. Of a mapping and of a list with keys, parts may be left out.
func (g *generaliser) value(all []seen, t reflect.Type, row *pod.Row, c where) *node.Node {
	first := all[0].value
	if g.areEqual(all) {
		return escaped(first)
	}
	isKind := func(kind node.Kind) bool {
		return !slices.ContainsFunc(all, func(s seen) bool { return s.value.Kind != kind })
	}
	switch {
	case isKind(node.MappingNode):
		return g.mapping(all, t, row, c)
	case isKind(node.SequenceNode):
		c.container = "" // entries cannot be overridden
		return g.list(all, t, row, c)
	case isKind(node.ScalarNode):
		return g.scalar(all, c)
	}
	return nil
}

func (g *generaliser) areEqual(all []seen) bool {
	return !slices.ContainsFunc(all[1:], func(s seen) bool { return !node.Equal(s.value, all[0].value) })
}

func (g *generaliser) mapping(all []seen, t reflect.Type, row *pod.Row, c where) *node.Node {
	m := node.Mapping()
	for _, key := range node.Keys(all[0].value) {
		values := inside(all, func(s seen) *node.Node { return node.Get(s.value, key) })
		var value *node.Node
		if len(values) == len(all) {
			at := c
			at.path = strings.TrimPrefix(c.path+"."+key, ".")
			value = g.value(values, pod.Type(t, key), row.Child(key), at)
		}
		switch {
		case value != nil:
		case isRequired(t, key):
			value = escaped(mostFrequent(values))
		case c.whole:
			return nil
		default:
			continue
		}
		m.Content = append(m.Content, node.String(key), value)
	}
	if c.whole && slices.ContainsFunc(all, func(s seen) bool { return len(s.value.Content) != len(m.Content) }) {
		return nil
	}
	return m
}

// inside returns values inside of others, without those that do not exist.
func inside(all []seen, of func(seen) *node.Node) (values []seen) {
	for _, s := range all {
		if value := of(s); value != nil {
			values = append(values, seen{value, s.in})
		}
	}
	return values
}

// isRequired reports whether a field cannot be left out.
func isRequired(t reflect.Type, key string) bool {
	if t = pod.Pointed(t); t == nil || t.Kind() != reflect.Struct {
		return false
	}
	field := jsonfield.Of(t).Named(key)
	return key == "image" || field != nil && field.Required
}

// mostFrequent returns the value that most have, and of several the first.
func mostFrequent(all []seen) *node.Node {
	counts := map[string]int{}
	best := all[0].value
	most := 0
	for _, s := range all {
		key := string(node.AppendCanonical(nil, s.value))
		if counts[key]++; counts[key] > most {
			best, most = s.value, counts[key]
		}
	}
	return best
}

// list returns a list with the entries that all have, by their keys. Without keys, the lists have the same length.
func (g *generaliser) list(all []seen, t reflect.Type, row *pod.Row, c where) *node.Node {
	list, element := node.Sequence(), pod.Element(t)
	c.whole = true
	if !row.IsKeyed() {
		for i := range all[0].value.Content {
			values := inside(all, func(s seen) *node.Node {
				if len(s.value.Content) != len(all[0].value.Content) {
					return nil
				}
				return s.value.Content[i]
			})
			if len(values) < len(all) {
				return nil
			}
			entry := g.value(values, element, row.Entry(), c)
			if entry == nil {
				return nil
			}
			list.Content = append(list.Content, entry)
		}
		return list
	}
	byKey := make([]map[string]*node.Node, len(all))
	for i, s := range all {
		byKey[i] = map[string]*node.Node{}
		for _, entry := range s.value.Content {
			byKey[i][row.Key(entry)] = entry
		}
		if len(byKey[i]) < len(s.value.Content) {
			return nil // a key that is there twice
		}
	}
	for _, entry := range all[0].value.Content {
		key := row.Key(entry)
		var values []seen
		for i, s := range all {
			if found := byKey[i][key]; found != nil {
				values = append(values, seen{found, s.in})
			}
		}
		if len(values) < len(all) {
			continue
		}
		if value := g.value(values, element, row.Entry(), c); value != nil {
			list.Content = append(list.Content, value)
		}
	}
	if len(list.Content) == 0 {
		return nil
	}
	return list
}

// maxComposed is the length of the longest text in which variables are found.
const maxComposed = 4 << 10

// scalar returns a scalar with variables, or one that an annotation of the pod overrides.
func (g *generaliser) scalar(all []seen, c where) *node.Node {
	texts, areStrings := make([]string, len(all)), true
	for i, s := range all {
		texts[i] = s.value.Value
		areStrings = areStrings && node.IsString(s.value)
	}
	if c.container != "" {
		key := v1alpha1.OverridePrefix + c.container + "." + c.path
		if fallback, isSet := g.set(all, texts, variable.PodAnnotations, key); isSet {
			c.overrides[c.path] = true
			return escaped(fallback)
		}
	}
	if !areStrings {
		return nil
	}
	if len(texts[0]) <= maxComposed {
		if text, found := g.compose(texts, g.sourcesOf(all), make([]int, len(texts))); found {
			return node.String(text)
		}
	}
	for _, from := range optionalSources(all) {
		fallback, isSet := g.set(all, texts, from.name, from.key)
		if isSet && !strings.ContainsAny(fallback.Value, "{}") {
			return node.String(fmt.Sprintf("${%s['%s']:-%s}", from.name, from.key, fallback.Value))
		}
	}
	return nil
}

// set returns the value of all pods that do not have a label or an annotation, if those that do have its value.
func (g *generaliser) set(all []seen, texts []string, name, key string) (fallback *node.Node, isSet bool) {
	for i, s := range all {
		if !g.steps.Charge(1) {
			return nil, false
		}
		value, has := metadataOf(s.in, name, key)
		switch {
		case has && value != texts[i], !has && fallback != nil && fallback.Value != texts[i]:
			return nil, false
		case !has:
			fallback = s.value
		default:
			isSet = true
		}
	}
	return fallback, isSet && fallback != nil
}

func metadataOf(s *variable.Subject, name, key string) (string, bool) {
	from := s.Labels
	if name == variable.PodAnnotations {
		from = s.Annotations
	}
	value := node.Get(from, key)
	if value == nil || value.Kind != node.ScalarNode || value.Value == "" {
		return "", false
	}
	return value.Value, true
}

// source is a variable with its values for all pods.
type source struct {
	name, key string
	values    []string
}

func (s source) written() string {
	if s.key != "" {
		return fmt.Sprintf("${%s['%s']}", s.name, s.key)
	}
	return "${" + s.name + "}"
}

// sourcesOf returns the variables that have a value in all pods, and not the same one, those with the longest values first.
func (g *generaliser) sourcesOf(all []seen) (sources []source) {
	add := func(name, key string, of func(*variable.Subject) string) {
		s, varies := source{name: name, key: key}, false
		for _, one := range all {
			value := of(one.in)
			if value == "" || !g.steps.Charge(1) {
				return
			}
			varies = varies || len(s.values) > 0 && value != s.values[0]
			s.values = append(s.values, value)
		}
		if varies {
			sources = append(sources, s)
		}
	}
	add(variable.WorkloadName, "", func(s *variable.Subject) string { return s.Name })
	add(variable.WorkloadNamespace, "", func(s *variable.Subject) string { return s.Namespace })
	add(variable.ContainerName, "", func(s *variable.Subject) string { return s.Container.Name })
	add(variable.ContainerImage, "", func(s *variable.Subject) string { return s.Container.Image })
	add(variable.ContainerPort, "", func(s *variable.Subject) string { return s.Container.Port })
	for _, name := range []string{variable.PodLabels, variable.PodAnnotations} {
		for _, key := range metadataKeys(all[:1], name) {
			add(name, key, func(s *variable.Subject) string { value, _ := metadataOf(s, name, key); return value })
		}
	}
	add(variable.WorkloadKind, "", func(s *variable.Subject) string { return s.Kind })
	slices.SortStableFunc(sources, func(a, b source) int { return len(b.values[0]) - len(a.values[0]) })
	return sources
}

// optionalSources returns the labels and annotations that some pods have.
func optionalSources(all []seen) (sources []source) {
	for _, name := range []string{variable.PodAnnotations, variable.PodLabels} {
		for _, key := range metadataKeys(all, name) {
			sources = append(sources, source{name: name, key: key})
		}
	}
	return sources
}

// metadataKeys returns the keys of the labels or annotations of pods, as many as people may have.
func metadataKeys(all []seen, name string) (keys []string) {
	const most = 100
	known := map[string]bool{}
	for _, s := range all {
		from := s.in.Labels
		if name == variable.PodAnnotations {
			from = s.in.Annotations
		}
		for key := range node.Fields(from) {
			if len(keys) == most {
				return keys
			}
			if !known[key] {
				known[key] = true
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// compose returns a text with variables that stands for several texts from some offsets on. A variable begins and ends where a word does.
func (g *generaliser) compose(texts []string, sources []source, at []int) (string, bool) {
	if !g.steps.Charge(len(texts)) {
		return "", false
	}
	isEnd, rest := true, texts[0][at[0]:]
	for i, text := range texts {
		isEnd = isEnd && at[i] == len(text)
	}
	if isEnd {
		return "", true
	}
	if isBoundary(texts[0], at[0]) {
		for _, s := range sources {
			next := make([]int, len(at))
			isHere := len(s.values[0]) <= len(rest)
			for i := 0; i < len(texts) && isHere && g.steps.Charge(1); i++ {
				next[i] = at[i] + len(s.values[i])
				isHere = strings.HasPrefix(texts[i][at[i]:], s.values[i]) && isBoundary(texts[i], next[i])
			}
			if !isHere {
				continue
			}
			if tail, found := g.compose(texts, sources, next); found {
				return s.written() + tail, true
			}
		}
	}
	// The literal text up to the next word is the same in all.
	size := 0
	for size < len(rest) && (size == 0 || !isBoundary(rest, size)) {
		size++
		if strings.HasPrefix(rest[size-1:], "${") { // which is escaped as a whole
			size++
		}
	}
	literal := rest[:size]
	next := make([]int, len(at))
	for i, text := range texts {
		if literal == "" || !strings.HasPrefix(text[at[i]:], literal) {
			return "", false
		}
		next[i] = at[i] + size
	}
	tail, found := g.compose(texts, sources, next)
	return escapedText(literal) + tail, found
}

// isBoundary reports whether a word can begin or end at an offset of a text.
func isBoundary(text string, at int) bool {
	isWord := func(b byte) bool { return b >= utf8.RuneSelf || b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z' }
	return at == 0 || at >= len(text) || !isWord(text[at-1]) || !isWord(text[at])
}

// escaped returns a copy of a value in which nothing is a variable.
func escaped(n *node.Node) *node.Node {
	c := *n
	c.Content = nil
	for i, child := range n.Content {
		if isKey := n.Kind == node.MappingNode && i%2 == 0; !isKey {
			child = escaped(child)
		}
		c.Content = append(c.Content, child)
	}
	if n.Kind == node.ScalarNode {
		c.Value = escapedText(n.Value)
	}
	return &c
}

func escapedText(text string) string { return strings.ReplaceAll(text, "${", "$${") }
