package admission

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/yaml/node"
)

// addOverrides puts expressions in place of the fields that annotations of the pod may set, and collects why pods are refused because of
// annotations that do not fit.
func (c *compiler) addOverrides(in *compiled) {
	for _, list := range []struct {
		name       string
		containers []injector.Container
	}{{"containers", in.Containers}, {"initContainers", in.InitContainers}} {
		for i := range list.containers {
			container := &list.containers[i]
			c.from(in, fmt.Sprintf("%s[%d].allowOverride", list.name, i))
			for _, o := range in.Overrides(container) {
				setOverride(container.Body, o, c.override(in, container.Name, o))
			}
			if len(container.AllowOverride) > 0 {
				container.NativeBody = injector.NativeBody(container.Body)
			}
		}
	}
}

// override returns the variable for the optional value of an annotation, and refuses pods in which it does not fit the field.
func (c *compiler) override(in *compiled, container string, o injector.Override) string {
	annotation := fmt.Sprintf("%s[?%s]", podAnnotations, quote(o.Annotation))
	wrong := misfitOf(o.Type)
	if o.Steps[0] == "image" {
		wrong = &blankImage
	}
	if wrong != nil {
		value := annotation + `.orValue("")`
		in.refusals = append(in.refusals, refusal{
			code: finding.OverrideInvalid, comment: "the annotation " + o.Annotation + " fits",
			condition: fmt.Sprintf("%s.optMap(d, %s).orValue(false)", annotation, wrong.condition),
			text: fmt.Sprintf("%s + [%s].map(d, %s)[0]", quote("the annotation "+o.Annotation+" is not valid: "), value,
				wrong.problem),
			source: c.source,
		})
	}
	name := fmt.Sprintf("%s_%s_override", in.id, identifier(container))
	for _, step := range o.Steps {
		name += "_" + identifier(step)
	}
	return c.add(name, "the annotation "+o.Annotation, fmt.Sprintf("%s.optMap(v, dyn(%s))", annotation, converted("v", o.Type)))
}

// setOverride puts an expression for an optional value in place of a field of a container. A mapping on the way to it that the container
// lacks exists if one of its fields does.
func setOverride(body *yaml.Node, o injector.Override, value string) {
	last := len(o.Steps) - 1
	for _, step := range o.Steps[:last] {
		inner := node.Get(body, step)
		if node.IsNull(inner) {
			inner = node.Mapping()
			inner.Tag = optionalTag
			node.Set(body, step, inner)
		}
		body = inner
	}
	field := o.Steps[last]
	if declared := node.Get(body, field); !node.IsNull(declared) {
		node.Set(body, field, expressionNode(valueTag, fmt.Sprintf("%s.orValue(dyn(%s))", value, typedScalar(declared, o.Type))))
		return
	}
	node.Set(body, field, expressionNode(optionalTag, value))
}
