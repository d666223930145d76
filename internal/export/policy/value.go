package policy

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"

	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/config/schema"
	"pillion.dev/pillion/internal/config/variable"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// expressionTag tells a scalar that is an expression of CEL from a literal.
const expressionTag = node.OtherTag + 1

func isExpression(n *node.Node) bool {
	return n != nil && n.Kind == node.ScalarNode && n.Tag == expressionTag
}

// object returns a value of the payload as an expression, given its type and the name of that in CEL, such as
// Object.spec.volumes. Maps are literals of maps, whose values must be of one type unless they are dyn.
func object(n *node.Node, t reflect.Type, name string) term {
	n = node.Resolve(n)
	t = pod.Pointed(t)
	switch n.Kind {
	case node.MappingNode:
		hasOneType := t != nil && t.Kind() == reflect.Map // of strings or quantities
		hasReserved := slices.ContainsFunc(node.Keys(n), func(key string) bool { return isReserved[key] })
		isMap := t == nil || hasOneType || hasReserved
		open := name + "{"
		if isMap {
			open = "{"
		}
		wrap := isMap && !hasOneType && !areStrings(n)
		fields := term{open: open, separator: ",", close: "}"}
		for key, value := range node.Fields(n) {
			if node.IsNull(value) {
				continue
			}
			field := object(value, pod.Type(t, key), name+"."+key)
			switch {
			case wrap:
				field = field.in(quote(key)+": dyn(", ")")
			case isMap:
				field = field.in(quote(key)+": ", "")
			default:
				field = field.in(key+": ", "")
			}
			fields.parts = append(fields.parts, field)
		}
		if fields.parts == nil {
			return atom(open + "}")
		}
		return fields
	case node.SequenceNode:
		entries := make([]term, len(n.Content))
		for i, entry := range n.Content {
			entries[i] = object(entry, pod.Element(t), name)
		}
		return list(entries...)
	default:
		return scalar(n, t)
	}
}

// areStrings reports whether all values of a mapping are literal strings.
func areStrings(n *node.Node) bool {
	for _, value := range node.Fields(n) {
		if value = node.Resolve(value); value.Kind != node.ScalarNode || isExpression(value) ||
			value.Tag != node.StrTag {
			return false
		}
	}
	return true
}

// isReserved has the words of CEL that cannot be the names of fields.
var isReserved = map[string]bool{
	"as": true, "break": true, "const": true, "continue": true, "else": true, "false": true, "for": true,
	"function": true, "if": true, "import": true, "in": true, "let": true, "loop": true, "namespace": true,
	"null": true, "package": true, "return": true, "true": true, "var": true, "void": true, "while": true,
}

// scalar returns a scalar as a literal of a type. Quantities are strings.
func scalar(n *node.Node, t reflect.Type) term {
	if isExpression(n) {
		return atom(n.Value)
	}
	if t == reflect.TypeFor[resource.Quantity]() || t != nil && t.Kind() == reflect.String {
		return textOf(n.Value)
	}
	switch value := node.Scalar(n).(type) {
	case bool:
		return atom(strconv.FormatBool(value))
	case int:
		return atom(strconv.Itoa(value))
	default:
		return textOf(n.Value)
	}
}

// filler puts expressions in place of the variables of a payload.
type filler struct {
	*printer

	in    *injector.Injector
	needs []need
}

// need is what a pod must have, so that the variables of an injector have values.
type need struct{ expression, written string }

// fill returns the injector with expressions in place of variables, and what pods need for them.
func (p *printer) fill(in *injector.Injector) (*injector.Injector, []need) {
	f := filler{printer: p, in: in}
	filled := in.WithTexts(f.scalar)
	return filled, f.needs
}

// scalar returns the scalar for a text with variables.
func (f *filler) scalar(text schema.Text) *node.Node {
	if !text.Varies() {
		literal, _ := text.Expand(variable.Subject{})
		return node.String(literal)
	}
	var parts []term
	for _, segment := range text.Segments() {
		switch {
		case segment.Name == "":
			parts = append(parts, textOf(segment.Literal))
		case text.Rule >= 0 && isOfContainer(segment):
			parts = append(parts, atom(f.ofEach(segment, &f.in.AppContainers[text.Rule])))
		default:
			parts = append(parts, atom(f.ofPod(segment, text.Rule)))
		}
	}
	value := parts[0].text()
	if len(parts) > 1 {
		value = "(" + sum(parts).text() + ")"
	}
	if text.Type == reflect.TypeFor[intstr.IntOrString]() { // the API server takes "8080" for a name
		value = fmt.Sprintf(`[%s].map(d, d.matches("^[0-9]{1,9}$") ? dyn(int(d)) : dyn(d))[0]`, value)
	}
	return &node.Node{Kind: node.ScalarNode, Tag: expressionTag, Value: value}
}

func isOfContainer(s variable.Segment) bool { return strings.HasPrefix(s.Name, "container.") }

// ofPod returns the expression for a variable of the pod or of its default container, in the rest of the payload or in
// an entry of appContainers. An entry with variables of containers needs values only if there is a container that it is
// for.
func (f *filler) ofPod(s variable.Segment, rule int) string {
	const unset = `%s[?%s].orValue("")`
	name := f.nameOf(s)
	var value, isSet string
	switch s.Name {
	case variable.WorkloadNamespace:
		return "request.namespace"
	case variable.PodLabels:
		value = fmt.Sprintf(unset, labels, quote(s.Key))
		isSet = quote(s.Key) + " in " + labels
	case variable.PodAnnotations:
		value = fmt.Sprintf(unset, annotations, quote(s.Key))
		isSet = quote(s.Key) + " in " + annotations
	default:
		value = fmt.Sprintf(`variables.app.optMap(c, %s).orValue("")`, containerValue(s.Name, "c"))
		isSet = "variables." + name + ` != ""`
	}
	if s.HasDefault {
		value = withDefault(value, s.Default)
	} else {
		needed := atom(isSet)
		usesContainer := func(t schema.Text) bool { return t.Rule == rule && t.UsesContainer() }
		if rule >= 0 && !f.in.AppContainers[rule].Includes("") && slices.ContainsFunc(f.in.Texts(), usesContainer) {
			needed = f.each(&f.in.AppContainers[rule], needed)
		}
		f.need(needed, s)
	}
	f.define(name, s.Written(), atom(value))
	return "variables." + name
}

// withDefault returns the expression for a value, or its default if it is empty.
func withDefault(value, byDefault string) string {
	if byDefault == "" {
		return value
	}
	return fmt.Sprintf(`[%s, %s].filter(v, v != "")[0]`, value, quote(byDefault))
}

// ofEach returns the expression for a variable of the container of the app that gets the value.
func (f *filler) ofEach(s variable.Segment, rule *injector.AppContainers) string {
	value := containerValue(s.Name, f.container)
	switch {
	case s.HasDefault:
		return withDefault(value, s.Default)
	case s.Name == variable.ContainerPort:
		f.need(f.each(rule, atom(value+` != ""`)), s)
	}
	return value
}

func (f *filler) need(expression term, s variable.Segment) {
	n := need{expression.text(), s.Written()}
	if !slices.Contains(f.needs, n) {
		f.needs = append(f.needs, n)
	}
}

// nameOf returns the name of the policy's variable for a variable of the payload, which is another one for another
// default.
func (f *filler) nameOf(s variable.Segment) string {
	written := s.Written() + "\x00" + s.Default
	if f.values[written] == "" {
		f.values[written] = f.newName(strings.TrimPrefix(s.Name, "pod.") + "_" + s.Key)
	}
	return f.values[written]
}

// containerValue returns the expression for a variable of a container, which is empty if the container has no value.
// Its port is the only one for TCP, or the one with the name http. The result is a string and not dyn, so that it can
// be in a list with other strings.
func containerValue(name, container string) string {
	switch name {
	case variable.ContainerName:
		return "string(" + container + ".name)"
	case variable.ContainerImage:
		return "string(" + container + `.?image.orValue(""))`
	default:
		return fmt.Sprintf(`[%s.?ports.orValue([]).filter(p, p.protocol == "TCP")].map(tcp,
  tcp.all(p, p.containerPort == tcp[0].containerPort) ? tcp : tcp.filter(p, p.?name.orValue("") == "http"))[0].map(p,
  string(p.containerPort))[?0].orValue("")`, container)
	}
}

// defaultContainer returns the expression for the container of the app that kubectl takes if none is named.
func defaultContainer() term {
	apps := atom("[object.spec.containers.filter(c, !(c.name in variables.injected))].map(apps")
	named := fmt.Sprintf("apps.filter(c, c.name == %s[?%s].orValue(\"\")) + apps",
		annotations, quote(pod.DefaultContainer))
	return term{parts: []term{apps, atom(named)}, separator: ",", close: ")[0][?0]"}
}

// identifier returns a text as the name of a variable.
func identifier(text string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, text), "_")
}
