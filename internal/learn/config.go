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
		has, lacks := one.split(pairs)
		fields, rests := condition(has, lacks, writtenKeys)
		b := builder{steps: steps, spec: fields, entries: map[string]*node.Node{}}
		size := len(fields.Content)
		for _, a := range one.additions {
			b.add(a)
		}
		if len(b.spec.Content) == size {
			continue
		}
		arrange(b.spec, reflect.TypeFor[v1alpha1.SidecarInjectorSpec]())
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

// text returns the config as YAML, with comments on what it rests on and what it does not express.
func (c config) text(findings []finding.Finding) (text []byte) {
	for _, in := range c {
		text = fmt.Appendf(text, "# %s: learned from %s.\n", escape.Line(in.name), escape.Line(in.rests))
	}
	for _, f := range findings {
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
			node.String("spec"), in.spec))...)
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

// arrange writes a value as people do: with its fields in the order of its type, and short lists on one line.
func arrange(n *node.Node, t reflect.Type) {
	const short = 60
	t = pod.Pointed(t)
	switch n.Kind {
	case node.SequenceNode:
		for _, entry := range n.Content {
			arrange(entry, pod.Element(t))
		}
		needsLine := func(entry *node.Node) bool {
			return entry.Kind != node.ScalarNode || strings.Contains(entry.Value, "\n")
		}
		if !slices.ContainsFunc(n.Content, needsLine) && node.Weight(n) <= len("[]")+short {
			n.Style = node.FlowStyle
		}
	case node.MappingNode:
		var names []string
		if t != nil && t.Kind() == reflect.Struct {
			names = jsonfield.Of(t).Names()
		}
		if own := slices.Index(names, "podInjectPolicy"); own >= 0 { // Pillion's own fields of a container come behind its image
			names = slices.Concat([]string{"name", "image"}, names[own:], names[:own])
		}
		fields := slices.Collect(slices.Chunk(n.Content, 2))
		slices.SortFunc(fields, func(a, b []*node.Node) int {
			x, y := a[0].Value, b[0].Value
			return cmp.Or(cmp.Compare(slices.Index(names, x), slices.Index(names, y)), cmp.Compare(x, y))
		})
		for _, field := range fields {
			arrange(field[1], pod.Type(t, field[0].Value))
		}
		n.Content = slices.Concat(fields...)
	}
}
