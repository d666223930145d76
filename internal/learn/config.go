package learn

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/engine"
	"pillion.dev/pillion/internal/escape"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/jsonfield"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/emit"
	"pillion.dev/pillion/internal/yaml/node"
)

// config is what was learned: one injector for each group of additions.
type config struct{ injectors []*learnedInjector }

type learnedInjector struct {
	spec, object *node.Node
	name, rests  string // on how many pods it rests
}

// builder makes one injector.
type builder struct {
	generaliser
	has, lacks []*Pair
	spec       *node.Node
}

func newConfig(g generaliser, groups []*group, name string) *config {
	c, names := &config{}, map[string]bool{}
	for _, one := range groups {
		b := builder{generaliser: g}
		for i, p := range g.pairs {
			if one.has[i] {
				b.has = append(b.has, p)
			} else if one.lacks[i] {
				b.lacks = append(b.lacks, p)
			}
		}
		condition := newCondition(b.has, b.lacks)
		b.spec = condition.fields
		empty := len(b.spec.Content)
		for _, a := range one.additions {
			b.add(a)
		}
		b.appContainers(one.additions)
		if len(b.spec.Content) == empty {
			continue
		}
		in := &learnedInjector{spec: b.spec, rests: condition.counted(len(b.has), len(b.lacks)), name: b.name()}
		if len(c.injectors) == 0 && name != "" {
			in.name = name
		}
		for base, n := in.name, 2; names[in.name]; n++ {
			in.name = fmt.Sprintf("%s-%d", base, n)
		}
		names[in.name] = true
		c.injectors = append(c.injectors, in)
	}
	return c
}

// name returns the name of the first container, or of the first other thing with a name.
func (b *builder) name() string {
	for _, field := range []string{"containers", "initContainers", "volumes"} {
		if all := node.List(b.spec, field); len(all) > 0 {
			return cmp.Or(node.Text(all[0], "name"), "learned")
		}
	}
	return "learned"
}

// add adds an addition to the injector, except for those of the app's containers.
func (b *builder) add(a *addition) {
	name := a.path[len(a.path)-1]
	switch a.section {
	case native, pod.Main, pod.Init:
		b.container(a, name)
	case "volumes", "imagePullSecrets":
		all := b.seen(a.samples)
		value := b.value(all, elementType(a.section), pod.InSpec(a.section).Entry(), where{whole: true})
		if value == nil { // what mounts it would be refused without it
			value = escaped(mostFrequent(all))
		}
		if slices.ContainsFunc(a.samples, func(s sample) bool { return s.replaces }) {
			node.Set(node.OwnMapping(b.spec, "onConflict"), "volume", node.String(string(v1alpha1.ConflictReplace)))
		}
		appendTo(b.spec, a.section, value)
	case labels, annotations:
		if value := b.value(b.seen(a.samples), nil, pod.Of(), where{}); value != nil && !b.isImplied(name, a) {
			b.metadata(a, name, value)
		}
	case podSpec:
		b.podField(a)
	}
}

func (b *builder) seen(samples []sample) []seen {
	all := make([]seen, len(samples))
	for i, s := range samples {
		subject := b.pairs[s.pair].subject
		if s.container != nil {
			subject.Container = injector.ContainerValues(s.container)
		}
		all[i] = seen{s.value, &subject}
	}
	return all
}

func elementType(list string) reflect.Type {
	return pod.Element(pod.Type(reflect.TypeFor[corev1.PodSpec](), list))
}

// isImplied reports whether an annotation is the one that Pillion sets if a sidecar becomes the first container.
func (b *builder) isImplied(key string, a *addition) bool {
	return key == "kubectl.kubernetes.io/default-container" && !slices.ContainsFunc(a.samples, func(s sample) bool {
		p := b.pairs[s.pair]
		own, now := p.containers(p.before), p.containers(p.after)
		return len(own) == 0 || s.value.Value != own[0] || now[0] == own[0]
	})
}

// container adds a container with its place.
func (b *builder) container(a *addition, name string) {
	overrides := map[string]bool{}
	value := b.value(b.seen(a.samples), reflect.TypeFor[corev1.Container](), pod.InSpec(pod.Main).Entry(),
		where{container: name, overrides: overrides})
	list := pod.Main
	switch a.section {
	case native:
		node.Delete(value, "restartPolicy")
	case pod.Main:
		node.Set(value, "mode", node.String(string(v1alpha1.ModeContainer)))
	default:
		list = pod.Init
	}
	every := func(holds func(place) bool) bool {
		return !slices.ContainsFunc(a.samples, func(s sample) bool { return !holds(s.place) })
	}
	isFirst, isLast := every(func(p place) bool { return p.isFirst }), every(func(p place) bool { return p.isLast })
	first := a.samples[0].place
	switch {
	case isFirst && a.section == native, isLast && a.section != native:
	case isFirst:
		node.Set(value, "podInjectPolicy", node.String(string(v1alpha1.BeforeAppContainer)))
	case isLast:
		node.Set(value, "podInjectPolicy", node.String(string(v1alpha1.AfterAppContainer)))
	case first.after != "" && every(func(p place) bool { return p.after == first.after }):
		node.Set(value, "after", node.String(first.after))
	case first.before != "" && every(func(p place) bool { return p.before == first.before }):
		node.Set(value, "before", node.String(first.before))
	}
	if len(overrides) > 0 {
		node.Set(value, "allowOverride", texts(slices.Sorted(maps.Keys(overrides))))
	}
	appendTo(b.spec, list, value)
}

// metadata sets a label or an annotation.
func (b *builder) metadata(a *addition, key string, value *node.Node) {
	policy := ""
	if slices.ContainsFunc(a.samples, func(s sample) bool { return s.replaces }) {
		policy = string(v1alpha1.PatchOverwrite)
	}
	patches := node.Get(b.spec, "patchPodMetadata")
	isSame := func(patch *node.Node) bool { return node.Text(patch, "patchPolicy") == policy }
	i := slices.IndexFunc(node.List(patches), isSame)
	if i < 0 {
		patch := node.Mapping()
		if policy != "" {
			node.Set(patch, "patchPolicy", node.String(policy))
		}
		appendTo(b.spec, "patchPodMetadata", patch)
		patches = node.Get(b.spec, "patchPodMetadata")
		i = len(patches.Content) - 1
	}
	node.Set(node.OwnMapping(patches.Content[i], a.section), key, value)
}

// podField sets a field of the pod spec, or adds an entry to a list of it.
func (b *builder) podField(a *addition) {
	row, t, at := pod.Of(), reflect.TypeFor[corev1.Pod](), node.OwnMapping(b.spec, podSpec)
	steps := a.path[1:]
	row, t = row.Child("spec"), pod.Type(t, "spec")
	for i, step := range steps {
		row, t = row.Child(step), pod.Type(t, step)
		isList := pod.Element(t) != nil && i == len(steps)-2
		if isList {
			if value := b.value(b.seen(a.samples), pod.Element(t), row.Entry(), where{whole: true}); value != nil {
				appendTo(at, step, value)
			}
			return
		}
		if i == len(steps)-1 {
			if value := b.value(b.seen(a.samples), t, row, where{whole: true}); value != nil {
				node.Set(at, step, value)
			}
			return
		}
		at = node.OwnMapping(at, step)
	}
}

func appendTo(m *node.Node, list string, entry *node.Node) {
	if node.Get(m, list) == nil {
		node.Set(m, list, node.Sequence())
	}
	entries := node.Get(m, list)
	entries.Content = append(entries.Content, entry)
}

// ordered returns a value with its fields in the order of its type, and without empty mappings of its own making.
func ordered(n *node.Node, t reflect.Type) *node.Node {
	c := *n
	c.Content = nil
	switch t = pod.Pointed(t); {
	case n.Kind == node.SequenceNode:
		for _, entry := range n.Content {
			c.Content = append(c.Content, ordered(entry, pod.Element(t)))
		}
		if isShort(n) {
			c.Style = node.FlowStyle
		}
	case n.Kind != node.MappingNode:
	default:
		keys := node.Keys(n)
		if t != nil && t.Kind() == reflect.Struct {
			names := jsonfield.Of(t).Names()
			if own := slices.Index(names, "podInjectPolicy"); own >= 0 { // Pillion's own fields of a container come behind its image
				names = slices.Concat([]string{"name", "image"}, names[own:], names[:own])
			}
			slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(slices.Index(names, a), slices.Index(names, b)) })
		} else {
			slices.Sort(keys)
		}
		for _, key := range keys {
			c.Content = append(c.Content, node.String(key), ordered(node.Get(n, key), pod.Type(t, key)))
		}
	}
	return &c
}

// isShort reports whether a list is one of a few words, which people write on one line.
func isShort(list *node.Node) bool {
	const most = 60
	size := 0
	for _, entry := range list.Content {
		size += len(entry.Value) + len(", ")
		if entry.Kind != node.ScalarNode || strings.Contains(entry.Value, "\n") {
			return false
		}
	}
	return size <= most
}

// text returns the config as YAML.
func (c *config) text() []byte { return c.document(nil) }

// layout is how the config is written.
var layout = emit.Style{LineEnd: "\n", Indents: emit.Indents{Indent: 2}, DashWidth: 2}

// maxComments is how many findings the comments list.
const maxComments = 50

// document returns the config as YAML, with comments on what it rests on and what it does not express.
func (c *config) document(findings []finding.Finding) (text []byte) {
	for _, in := range c.injectors {
		text = fmt.Appendf(text, "# %s: learned from %s.\n", escape.Line(in.name), escape.Line(in.rests))
	}
	for i, f := range findings {
		if i == maxComments {
			text = fmt.Appendf(text, "# And %d more.\n", len(findings)-i)
			break
		}
		text = fmt.Appendf(text, "# %s: %s\n", f.Code, escape.Line(f.Message))
	}
	for i, in := range c.injectors {
		if i > 0 {
			text = append(text, "---\n"...)
		}
		object := node.Mapping(node.String("apiVersion"), node.String(v1alpha1.APIVersion), node.String("kind"), node.String(v1alpha1.Kind),
			node.String("metadata"), node.Mapping(node.String("name"), node.String(in.name)),
			node.String("spec"), ordered(in.spec, reflect.TypeFor[v1alpha1.SidecarInjectorSpec]()))
		for at := 0; at < len(object.Content); at += 2 {
			text = append(layout.Pair(text, object.Content[at], object.Content[at+1], 0), '\n')
		}
	}
	return text
}

// validate reads the config as any other, and leaves out the parts that are refused. It returns what it has left out.
func (c *config) validate() (refused []finding.Finding, err error) {
	const most = 20 // parts
	for range most {
		_, findings := engine.ReadConfig(engine.Source{Text: c.text()})
		i := slices.IndexFunc(findings, func(f finding.Finding) bool { return f.Severity == finding.Error })
		if i < 0 {
			return refused, nil
		}
		problem := findings[i]
		if !c.leaveOut(problem) {
			return nil, fmt.Errorf("what was learned is not a valid config: %s", problem.Message)
		}
		refused = append(refused, notLearned(nil, problem.Field.Path, problem.Message))
	}
	return nil, fmt.Errorf("what was learned is not a valid config in more than %d places", most)
}

// leaveOut removes the part of an injector that a problem names, and reports whether there is one.
func (c *config) leaveOut(problem finding.Finding) bool {
	if problem.Field == nil || problem.Object == nil {
		return false
	}
	i := slices.IndexFunc(c.injectors, func(in *learnedInjector) bool { return in.name == problem.Object.Name })
	path, isInSpec := strings.CutPrefix(problem.Field.Path, "spec.")
	if i < 0 || !isInSpec {
		return false
	}
	spec := c.injectors[i].spec
	found := node.Find(spec, path)
	return found != nil && remove(spec, found)
}

// remove removes a key or an entry from a tree. A list of scalars is removed as a whole.
func remove(tree, found *node.Node) bool {
	for i, child := range tree.Content {
		isKey := tree.Kind == node.MappingNode && i%2 == 0
		switch {
		case child == found && isKey:
			tree.Content = slices.Delete(tree.Content, i, i+2)
			return true
		case child == found:
			tree.Content = slices.Delete(tree.Content, i, i+1)
			return true
		case child.Kind == node.SequenceNode && found.Kind == node.ScalarNode && slices.Contains(child.Content, found):
			tree.Content = slices.Delete(tree.Content, i-1, i+1)
			return true
		case remove(child, found):
			return true
		}
	}
	return false
}
