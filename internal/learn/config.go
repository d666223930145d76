package learn

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/escape"
	"pillion.dev/pillion/internal/text/jsonfield"
	"pillion.dev/pillion/internal/text/yaml/emit"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// config is what was learned: one injector for each group of additions.
type config []*draft

func newConfig(pairs []*Pair, groups []*group, name string) (c config) {
	names, written := map[string]bool{}, map[string]bool{}
	for _, g := range groups {
		for _, a := range g.additions {
			written[a.key()] = written[a.key()] || a.path[0] == "metadata"
		}
	}
	for _, g := range groups {
		condition, rests := g.condition(pairs, written)
		d := &draft{
			rests:   rests,
			spec:    encoded(condition),
			entries: map[string]*node.Node{},
		}
		for _, a := range g.additions {
			d.add(a)
		}
		arrange(d.spec, reflect.TypeFor[v1alpha1.SidecarInjectorSpec]())
		base := cmp.Or(name, nameOf(d.spec))
		d.name = base
		for n := 2; names[d.name]; n++ {
			d.name = fmt.Sprintf("%s-%d", base, n)
		}
		names[d.name] = true
		c = append(c, d)
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

// payload are the fields of what changes pods. Without a condition, the config would select other pods.
var payload = []string{
	"spec.containers", "spec.initContainers", "spec.volumes", "spec.imagePullSecrets", "spec.appContainers",
	"spec.patchPodMetadata", "spec.podSpec",
}

// repaired returns the config without what Pillion would refuse. An injector that is refused as a whole is left out.
func (c config) repaired() config {
	const most = 30
	for range most {
		_, findings := engine.ReadConfig(finding.Source{Text: c.text(nil)})
		if !finding.HasError(findings) {
			return c
		}
		c = slices.DeleteFunc(c, func(d *draft) bool { return !d.repair(findings) })
	}
	return nil
}

// repair removes what findings are about, and reports whether that is possible.
func (d *draft) repair(findings []finding.Finding) bool {
	removed := map[*node.Node]bool{}
	for _, f := range findings {
		if f.Severity != finding.Error || f.Injector != d.name {
			continue
		}
		if f.Field == nil || !slices.ContainsFunc(payload, func(field string) bool { return strings.HasPrefix(f.Field.Path, field) }) {
			return false
		}
		at := node.Find(d.spec, strings.TrimPrefix(f.Field.Path, "spec"))
		if at == nil {
			return false // nothing is left
		}
		removed[at] = true
	}
	without(d.spec, removed)
	return true
}

// without removes keys with their values, and entries of lists, and whatever is empty without them.
func without(n *node.Node, removed map[*node.Node]bool) {
	width := 1
	if n.Kind == node.MappingNode {
		width = 2
	}
	kept := n.Content[:0]
	for field := range slices.Chunk(n.Content, width) {
		value := field[width-1]
		hadContent := len(value.Content) > 0
		without(value, removed)
		if !removed[field[0]] && (!hadContent || len(value.Content) > 0) {
			kept = append(kept, field...)
		}
	}
	n.Content = kept
}

// text returns the config as YAML, with comments on what it rests on and what it does not express.
func (c config) text(findings []finding.Finding) (text []byte) {
	for _, d := range c {
		text = fmt.Appendf(text, "# %s: learned from %s.\n", escape.Line(d.name), escape.Line(d.rests))
	}
	for _, f := range findings {
		message := f.Message
		if f.Object != nil {
			message = f.Object.String() + ": " + message
		}
		text = fmt.Appendf(text, "# %s: %s\n", f.Code, escape.Line(message))
	}
	for i, d := range c {
		if i > 0 {
			text = append(text, "---\n"...)
		}
		text = append(text, emit.Object(node.Mapping(
			node.String("apiVersion"), node.String(v1alpha1.APIVersion), node.String("kind"), node.String(v1alpha1.Kind),
			node.String("metadata"), node.Mapping(node.String("name"), node.String(d.name)),
			node.String("spec"), d.spec))...)
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
