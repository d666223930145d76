package policy

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/jsonpointer"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// patches are blocks of operations on the pod. All of them together are one expression: between two, the API server
// would remove the empty lists that the first one creates. Indexes are those of the pod as it arrives.
type patches struct {
	*printer

	added   map[string][]string // the guards of the blocks so far
	created []string            // the lists and mappings that the pod may lack: their paths
	guards  map[string][]string // of those in podSpec, which the API server keeps if they are empty
	blocks  []block             // in the order in which they run
}

// block is an expression for a list of operations.
type block struct {
	comment string
	body    term
}

// mutating returns the policy that injects.
func (p *printer) mutating() *policy {
	m := &patches{printer: p, added: map[string][]string{}, guards: map[string][]string{}}
	for _, s := range p.subjects {
		for i, n := range s.needs {
			s.who.addNeed(fmt.Sprintf("has-value-%d", i+1), n.written, n.expression)
		}
	}
	p.selectPods()
	m.addToPod()
	m.addToApps()
	for _, list := range pod.ContainerLists {
		m.addContainers(list)
	}
	m.addDefaultContainer()
	blocks := append(m.creations(), m.blocks...)
	var lines []string
	for i, b := range blocks {
		if b.comment != "" {
			lines = append(lines, "// "+oneLine(b.comment))
		}
		behind := " +"
		if i == len(blocks)-1 {
			behind = ""
		}
		lines = append(lines, b.body.lines("", behind)...)
	}
	p.mutation = strings.Join(lines, "\n")
	return p.finish()
}

// add adds a block that does something unless a condition holds.
func (m *patches) add(s *subject, comment, unless string, operation term) {
	m.addBlock(s, comment, unless, operation.in("[", "]"))
}

// addBlock adds a block, once if several injectors have the same.
func (m *patches) addBlock(s *subject, comment, unless string, body term) {
	what := body.String()
	conditions := slices.Clone(m.added[what])
	if slices.Contains(conditions, "") {
		return
	}
	m.added[what] = append(m.added[what], s.guard)
	if s.guard != "" {
		conditions = append(conditions, "!"+s.guard)
	}
	if unless != "" {
		conditions = append(conditions, unless)
	}
	m.blocks = append(m.blocks, block{comment, body.unless(conditions)})
}

// unless returns a list that is empty if one of the conditions holds.
func (t term) unless(conditions []string) term {
	switch text := strings.Join(conditions, " || "); {
	case len(conditions) == 0:
		return t
	case len(text) < width:
		return term{open: "(" + text + " ? [] : ", parts: []term{t}, close: ")", isBroken: t.isBroken}
	}
	one := term{separator: " ||", close: " ? [] :", isBroken: true}
	for _, condition := range conditions {
		one.parts = append(one.parts, atom(condition))
	}
	return term{open: "(", parts: []term{one, t}, close: ")", isBroken: true}
}

// operation returns an operation on a path, which is an expression.
func operation(verb string, path, value term) term {
	begin := fmt.Sprintf("JSONPatch{op: %s, path: %s, value: ", quote(verb), path)
	if len(begin)+len(value.open) < maxLiteral {
		return value.in(begin, "}")
	}
	return term{
		open: "JSONPatch{", separator: ",", close: "}",
		parts: []term{atom("op: " + quote(verb)), path.in("path: ", ""), value.in("value: ", "")},
	}
}

// create makes sure that a list or mapping exists. All are created once, before everything else: creating one again
// would remove what was added to it.
func (m *patches) create(path string) {
	if !slices.Contains(m.created, path) {
		m.created = append(m.created, path)
	}
}

// creations returns the blocks that create lists and mappings.
func (m *patches) creations() (all []block) {
	for i, path := range m.created {
		comment := ""
		if i == 0 {
			comment = "lists and mappings that the pod may lack"
		}
		if list, field := splitApp(path); list != "" {
			all = append(all, block{comment, atom(fmt.Sprintf("variables.%s.map(a, !has(a.c.%s), %s)", list, field,
				operation("add", atom(`a.at + "/`+field+`"`), atom("[]"))))})
			continue
		}
		steps := strings.Split(path[1:], "/")
		isThere := "has(object." + strings.Join(steps, ".") + ")"
		if len(steps) > 2 { //nolint:mnd // what is above it may be absent
			isThere = at(steps) + ".hasValue()"
		}
		conditions := []string{isThere}
		if guards := m.guards[path]; len(guards) > 0 && !slices.Contains(guards, "") {
			conditions = []string{"!(" + strings.Join(guards, " || ") + ")", isThere}
		}
		all = append(all,
			block{comment, operation("add", literal(path), emptyAt(path)).in("[", "]").unless(conditions)})
	}
	return all
}

// splitApp returns the variable and the field for a list of the app's containers, such as apps/env.
func splitApp(path string) (list, field string) {
	if !strings.HasPrefix(path, "/") {
		list, field, _ = strings.Cut(path, "/")
	}
	return list, field
}

// emptyAt returns the empty value at a path of the pod.
func emptyAt(path string) term {
	t := reflect.TypeFor[corev1.Pod]()
	for step := range strings.SplitSeq(path[1:], "/") {
		t = pod.Type(t, step)
	}
	if pod.Element(t) != nil {
		return atom("[]")
	}
	return atom("{}")
}

var podSpec = reflect.TypeFor[corev1.PodSpec]()

// entry returns an entry of a list of the pod spec, over several lines.
func entry(list string, value *node.Node) term {
	return object(value, pod.Element(pod.Type(podSpec, list)), "Object.spec."+list).broken()
}

// addToPod adds volumes, imagePullSecrets, podSpec and metadata.
func (m *patches) addToPod() {
	for _, s := range m.subjects {
		for _, op := range s.In("volumes") {
			m.create("/spec/volumes")
			m.add(s, "volume "+op.Key, quote(op.Key)+" in variables.volumes",
				operation("add", literal("/spec/volumes/-"), entry("volumes", op.Value)))
		}
		for _, op := range s.In("imagePullSecrets") {
			m.create("/spec/imagePullSecrets")
			secret := object(op.Value, reflect.TypeFor[corev1.LocalObjectReference](), "Object.spec.imagePullSecrets")
			has := "object.spec.?imagePullSecrets.orValue([]).exists(s, s.name == " + quote(op.Key) + ")"
			m.add(s, "imagePullSecret "+op.Key, has,
				operation("add", literal("/spec/imagePullSecrets/-"), secret))
		}
		for _, op := range s.In("podSpec") {
			m.set(s, op.Value, podSpec, "spec", op.Key)
		}
		for _, op := range s.In("patchPodMetadata") {
			m.setMetadata(s, op)
		}
	}
}

// set sets a field of the pod spec that is absent, or in it what is absent.
func (m *patches) set(s *subject, value *node.Node, t reflect.Type, steps ...string) {
	value = node.Resolve(value)
	last := steps[len(steps)-1]
	field := pod.Type(t, last)
	path := jsonpointer.New(steps...)
	name := "Object." + strings.Join(steps, ".")
	switch {
	case node.IsNull(value):
	case value.Kind == node.MappingNode && !pod.Of(steps...).Whole && len(value.Content) > 0:
		m.create(path)
		m.guards[path] = append(m.guards[path], s.guard)
		for key, inside := range node.Fields(value) {
			m.set(s, inside, field, append(slices.Clone(steps), key)...)
		}
	default:
		m.add(s, strings.Join(steps, ".")+", unless it is set", at(steps)+".hasValue()",
			operation("add", literal(path), object(value, field, name)))
	}
}

// at returns the expression for what is at a path of the pod, as an optional.
func at(steps []string) string {
	expression := "object." + steps[0]
	for _, step := range steps[1:] {
		expression += optional(step)
	}
	return expression
}

// optional returns the selection of a field or a key that may be absent.
func optional(key string) string {
	if identifier(key) != key || isReserved[key] || key[0] <= '9' {
		return "[?" + quote(key) + "]"
	}
	return ".?" + key
}

// setMetadata sets a label or an annotation.
func (m *patches) setMetadata(s *subject, op injector.Operation) {
	list := op.Row.Name()
	m.create("/metadata/" + list)
	unless := ""
	if op.OnTaken == injector.Keep {
		unless = fmt.Sprintf("%s in object.metadata.?%s.orValue({})", quote(op.Key), list)
	}
	m.add(s, op.Row.Noun+" "+op.Key, unless,
		operation("add", literal(jsonpointer.New("metadata", list, op.Key)),
			object(op.Value, reflect.TypeFor[string](), "")))
}

// addContainers adds containers to a list of the pod. Those that go in front are printed from the last to the first,
// each behind those before it that the pod has: the result has the order of the config.
func (m *patches) addContainers(list string) {
	type addition struct {
		*subject
		injector.Operation
	}
	var front, others []addition
	for _, s := range m.subjects {
		for _, op := range slices.Concat(s.In("initContainers"), s.In("containers")) {
			switch {
			case op.Row.Name() != list:
			case op.Position.IsFront && op.Position.Before+op.Position.After == "":
				front = append(front, addition{s, op})
			default:
				others = append(others, addition{s, op})
			}
		}
	}
	variable := map[string]string{pod.Main: "variables.containers", pod.Init: "variables.inits"}[list]
	add := func(a addition, index string) {
		if list == pod.Init {
			m.create("/spec/" + list)
		}
		m.add(a.subject, nounOf(a.Operation)+" "+a.Key, quote(a.Key)+" in variables.names",
			operation("add", atom(index), entry(list, a.Body())))
	}
	for _, a := range others {
		add(a, besides(a.Position, list, variable))
	}
	for i, a := range slices.Backward(front) {
		var before []string
		for _, earlier := range front[:i] {
			index := fmt.Sprintf("%s.indexOf(%s)", variable, quote(earlier.Key))
			if earlier.guard != "" {
				index = fmt.Sprintf("(%s ? %s : -1)", earlier.guard, index)
			}
			before = append(before, index)
		}
		switch len(before) {
		case 0:
			add(a, quote("/spec/"+list+"/0"))
		case 1:
			add(a, fmt.Sprintf(`"/spec/%s/" + string(%s + 1)`, list, before[0]))
		default:
			add(a, fmt.Sprintf(`"/spec/%s/" + string([%s].max() + 1)`, list, strings.Join(before, ", ")))
		}
	}
}

// nounOf returns what the container that an operation adds is.
func nounOf(op injector.Operation) string {
	if pod.IsNative(op.Row.Name(), op.Body()) {
		return "native sidecar"
	}
	return op.Row.Noun
}

// besides returns the path of a new container at the end of a list, or beside another one that the list has.
func besides(position injector.Position, list, variable string) string {
	neighbour := quote(cmp.Or(position.Before, position.After))
	if neighbour == `""` {
		return quote("/spec/" + list + "/-")
	}
	index := variable + ".indexOf(" + neighbour + ")"
	otherwise := "-"
	if position.After != "" {
		index += " + 1"
	}
	if position.IsFront {
		otherwise = "0"
	}
	return fmt.Sprintf(`"/spec/%s/" + (%s in %s ? string(%s) : %s)`, list, neighbour, variable, index, quote(otherwise))
}

// addDefaultContainer names the app's first container as that of kubectl, if a sidecar goes in front of it.
func (m *patches) addDefaultContainer() {
	for _, s := range m.subjects {
		for _, op := range s.In("podInjectPolicy") {
			if op.IsRare {
				continue
			}
			m.create("/metadata/annotations")
			unless := fmt.Sprintf("[%s, %s].exists(k, k in %s) || size(variables.apps) == 0", quote(op.Key),
				quote(pod.OlderDefaultContainer), annotations)
			for _, sidecar := range s.In("containers") {
				position := sidecar.Position
				switch {
				case sidecar.Row.Name() != pod.Main:
				case position.Before != "" && position.IsFront: // also without that container
					unless += " || variables.containers.indexOf(" + quote(position.Before) + ") > 0"
				case position.Before != "":
					unless += " || variables.containers[0] != " + quote(position.Before)
				case position.After != "" && position.IsFront:
					unless += " || " + quote(position.After) + " in variables.containers"
				case position.IsFront:
					unless += " || " + quote(sidecar.Key) + " in variables.names"
				}
			}
			m.add(s, "the app's first container stays that of kubectl logs and exec", unless,
				operation("add", literal(jsonpointer.New("metadata", "annotations", op.Key)),
					atom("variables.apps[0].c.name")))
		}
	}
}
