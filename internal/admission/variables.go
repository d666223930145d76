package admission

import (
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/variable"
	"pillion.dev/pillion/internal/yaml/node"
)

// filler puts expressions in place of the variables of an injector's payload.
type filler struct {
	*compiler

	in    *compiled
	per   map[int]bool         // the entries of appContainers whose values differ from container to container
	unset map[ruleSegment]bool // the variables for which pods are refused already
}

// ruleSegment is a variable of an entry of appContainers, or of the rest of the payload.
type ruleSegment struct {
	rule int
	variable.Segment
}

// fillIn puts expressions in place of the variables of an injector's payload, and collects why pods are refused because of them.
func (c *compiler) fillIn(in *compiled) {
	f := filler{compiler: c, in: in, per: map[int]bool{}, unset: map[ruleSegment]bool{}}
	for _, text := range in.Texts() {
		if text.Rule >= 0 && text.UsesContainer() {
			f.per[text.Rule] = true
		}
	}
	in.Injector = in.WithTexts(f.fill)
}

// fill returns the scalar for a text with variables.
func (f *filler) fill(text injector.Text) *node.Node {
	if literal, unset := text.Expand(variable.Subject{}); unset == nil && !text.Varies() && isString(text.Type) {
		return node.String(literal)
	}
	tag := valueTag
	if text.Rule >= 0 && text.UsesContainer() {
		tag = perTag
	}
	var parts []string
	for _, segment := range text.Segments() {
		if segment.Name == "" {
			parts = append(parts, quote(segment.Literal))
			continue
		}
		value := f.valueOf(segment, tag == perTag)
		f.refuseUnset(text, segment, value)
		parts = append(parts, value)
	}
	expression := concatenated(parts)
	f.refuseInvalid(text, expression)
	return expressionNode(tag, converted(expression, text.Type))
}

// concatenated returns the expression for a string that has several parts.
func concatenated(parts []string) string {
	switch n := len(parts); {
	case n == 1:
		return parts[0]
	case n <= maxChain:
		return "(" + strings.Join(parts, " + ") + ")"
	default:
		return "(" + chain(parts) + ")"
	}
}

// refuse adds a reason why the pod is refused, or each container that gets a text of a rule whose values differ.
func (f *filler) refuse(text injector.Text, code finding.Code, comment, condition, message string) {
	r := refusal{code: code, comment: comment, condition: condition, text: message, source: source{f.in.Name, text.Path}}
	if f.per[text.Rule] {
		rule := &f.in.AppContainers[text.Rule]
		r.list = containersList.entries()
		if rule.IncludeInit {
			r.list = bothLists()
		}
		conditions, _ := appEntry{rule: rule}.conditions(nil, "c.name")
		r.condition = all(append(conditions, condition))
	}
	f.in.refusals = append(f.in.refusals, r)
}

// valueOf returns the expression for the value of a variable, or for its default: of the container c that gets it, or of the pod and its
// default container.
func (f *filler) valueOf(s variable.Segment, ofEach bool) string {
	if value, isOfContainer := containerValue(s.Name); isOfContainer && ofEach {
		if s.Default == "" {
			return value
		}
		return fmt.Sprintf(`[%s].map(d, d == "" ? %s : d)[0]`, value, quote(s.Default))
	}
	value := f.podValue(s)
	if s.Default == "" {
		return value
	}
	return fmt.Sprintf(`(%[1]s == "" ? %[2]s : %[1]s)`, value, quote(s.Default))
}

// podValue returns the policy's variable for a variable of the payload that is the same for the whole pod. It is empty without a value.
func (c *compiler) podValue(s variable.Segment) string {
	written := s.Written()
	if known := c.values[written]; known != "" {
		return known
	}
	var name, value string
	switch s.Name {
	case variable.WorkloadNamespace:
		return "request.namespace"
	case variable.PodLabels:
		name, value = "label_"+identifier(s.Key), fmt.Sprintf(`%s[?%s].orValue("")`, podLabels, quote(s.Key))
	case variable.PodAnnotations:
		name, value = "annotation_"+identifier(s.Key), fmt.Sprintf(`%s[?%s].orValue("")`, podAnnotations, quote(s.Key))
	default:
		ofContainer, _ := containerValue(s.Name)
		name = strings.ReplaceAll(s.Name, ".", "_")
		value = fmt.Sprintf(`%s.map(c, %s)[?0].orValue("")`, c.defaultContainer(), ofContainer)
	}
	c.values[written] = c.add(name, written, value)
	return c.values[written]
}

// defaultContainer returns the variable for the app's containers, with the default one first, as for kubectl. A container that an injector
// of the list declares is none of them: the pod that the mutating policy has changed is validated afterwards, and has no stamps.
func (c *compiler) defaultContainer() string {
	if c.defaultFirst == "" {
		c.defaultFirst = c.add("default_container", "the app's containers, the default of kubectl first", fmt.Sprintf(
			"[object.spec.containers.filter(c, !(c.name in variables.declared))].map(apps,\n"+
				"  apps.filter(c, c.name == %s[?%s].orValue(\"\")) + apps)[0]", podAnnotations, quote(defaultContainerAnnotation)))
	}
	return c.defaultFirst
}

// hasUnstamped reports whether an injector leaves no stamp in manifests, so that Pillion tells its containers by their names only.
func (c *compiler) hasUnstamped() bool {
	return slices.ContainsFunc(c.injectors, func(in compiled) bool { return in.Spec.Stamp == v1alpha1.StampNone })
}

// containerValue returns the expression for the value of a variable of the container c, which is empty if the container has none, and
// whether the variable is one of a container. Its port is the only TCP port, or the one named http.
func containerValue(name string) (string, bool) {
	switch name {
	case variable.ContainerName:
		return "c.name", true
	case variable.ContainerImage:
		return `c.?image.orValue("")`, true
	case variable.ContainerPort:
		return fmt.Sprintf("[%s].map(ports,\n"+
			"  (ports.all(p, p.containerPort == ports[0].containerPort) ? ports : ports.filter(p, p.?name.orValue(\"\") == \"http\"))\n"+
			"  .map(p, string(p.containerPort)))[0][?0].orValue(\"\")", tcpPorts), true
	default:
		return "", false
	}
}

// The ports of the container c.
const (
	allPorts = "c.?ports.orValue([])"
	tcpPorts = allPorts + `.filter(p, p.?protocol.orValue("TCP") == "TCP")`
)

// usedVariables returns the names of the variables that the value of a variable uses, except one that depends on the pod.
func usedVariables(entry *node.Node) []string {
	value := node.Get(entry, "value")
	if isExpression(value) {
		return nil
	}
	return pod.UsedVariables(node.Text(value))
}

// usedIn returns the expression for the names of the variables that the value at an expression uses, as [pod.UsedVariables] does.
func usedIn(value string) string {
	const references = `\$\$|\$\([^)]*\)`
	return fmt.Sprintf(`%s.findAll(%s).filter(u, u != "$$").map(u, u.substring(2, size(u) - 1))`, value, quote(references))
}
