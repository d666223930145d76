package learn

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/escape"
	"pillion.dev/pillion/internal/jsonfield"
	"pillion.dev/pillion/internal/meter"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/emit"
	"pillion.dev/pillion/internal/yaml/node"
)

// config is what was learned: one injector for each group of additions.
type config []learnedInjector

type learnedInjector struct {
	name, rests string // and on what it rests
	spec        *node.Node
}

func newConfig(pairs []*Pair, groups []*group, name string, steps *meter.Meter) (c config) {
	names, writtenKeys := map[string]bool{}, map[string]bool{}
	for _, one := range groups {
		for _, a := range one.additions {
			writtenKeys[a.key()] = writtenKeys[a.key()] || a.path[0] == "metadata"
		}
	}
	for _, one := range groups {
		fields, rests := condition(chosen(pairs, one.has), chosen(pairs, one.lacks), writtenKeys)
		b := builder{generaliser: generaliser{steps}, spec: fields, entries: map[string]*node.Node{}}
		size := len(fields.Content)
		for _, a := range one.additions {
			b.add(a)
		}
		if len(b.spec.Content) == size {
			continue
		}
		in := learnedInjector{cmp.Or(name, nameOf(b.spec)), rests, b.spec}
		for base, n := in.name, 2; names[in.name]; n++ {
			in.name = fmt.Sprintf("%s-%d", base, n)
		}
		names[in.name] = true
		c = append(c, in)
	}
	return c
}

// nameOf returns the name of the first container or volume of a spec.
func nameOf(spec *node.Node) string {
	for _, list := range []string{pod.Main, pod.Init, "volumes"} {
		for _, entry := range node.List(spec, list) {
			return node.Text(entry, "name")
		}
	}
	return "learned"
}

// layout is how the config is written.
var layout = emit.Style{LineEnd: "\n", Indents: emit.Indents{Indent: 2}, DashWidth: 2}

// maxComments is how many findings the comments list.
const maxComments = 50

// text returns the config as YAML, with comments on what it rests on and what it does not express.
func (c config) text(findings []finding.Finding) (text []byte) {
	for _, in := range c {
		text = fmt.Appendf(text, "# %s: learned from %s.\n", escape.Line(in.name), escape.Line(in.rests))
	}
	for i, f := range findings {
		if i == maxComments {
			text = fmt.Appendf(text, "# And %d more.\n", len(findings)-i)
			break
		}
		message := f.Message
		if f.Object != nil {
			message = f.Object.String() + ": " + message
		}
		text = fmt.Appendf(text, "# %s: %s\n", f.Code, escape.Line(message))
	}
	for i, in := range c {
		if i > 0 {
			text = append(text, "---\n"...)
		}
		text = append(text, written(node.Mapping(
			node.String("apiVersion"), node.String(v1alpha1.APIVersion), node.String("kind"), node.String(v1alpha1.Kind),
			node.String("metadata"), node.Mapping(node.String("name"), node.String(in.name)),
			node.String("spec"), ordered(in.spec, reflect.TypeFor[v1alpha1.SidecarInjectorSpec]())))...)
	}
	return text
}

// written returns an object as YAML.
func written(object *node.Node) (text []byte) {
	for i := 0; i < len(object.Content); i += 2 {
		text = append(layout.Pair(text, object.Content[i], object.Content[i+1], 0), '\n')
	}
	return text
}

// ordered returns a value as people write it: with its fields in the order of its type, and short lists on one line.
func ordered(n *node.Node, t reflect.Type) *node.Node {
	c := node.Clone(n)
	c.Content = nil
	switch t = pod.Pointed(t); n.Kind {
	case node.SequenceNode:
		for _, entry := range n.Content {
			c.Content = append(c.Content, ordered(entry, pod.Element(t)))
		}
		if isShort(n) {
			c.Style = node.FlowStyle
		}
	case node.MappingNode:
		keys := slices.Sorted(slices.Values(node.Keys(n)))
		if t != nil && t.Kind() == reflect.Struct {
			names := jsonfield.Of(t).Names()
			if own := slices.Index(names, "podInjectPolicy"); own >= 0 { // Pillion's own fields of a container come behind its image
				names = slices.Concat([]string{"name", "image"}, names[own:], names[:own])
			}
			slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(slices.Index(names, a), slices.Index(names, b)) })
		}
		for _, key := range keys {
			c.Content = append(c.Content, node.String(key), ordered(node.Get(n, key), pod.Type(t, key)))
		}
	}
	return c
}

// isShort reports whether a list is one of a few words.
func isShort(list *node.Node) bool {
	const most = 60
	size := 0
	for _, entry := range list.Content {
		if size += len(entry.Value) + len(", "); size > most || entry.Kind != node.ScalarNode || strings.Contains(entry.Value, "\n") {
			return false
		}
	}
	return true
}
