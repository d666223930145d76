package injector

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/schema"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/spelling"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// override is an annotation that sets a field of the payload.
type override struct {
	pod.Position             // of the container
	steps        []string    // to the field in the container
	at           schema.Path // of the field in the config
	value        string      // of the annotation
	annotation   string
	typ          reflect.Type
}

// mayOverride reports whether an annotation may be an override. It is fast, because it runs for each pod, so it does
// not tell keys from values.
func mayOverride(annotations *node.Node) bool {
	return annotations != nil && slices.ContainsFunc(annotations.Content, func(n *node.Node) bool {
		return n.Tag == node.MergeTag || strings.HasPrefix(n.Value, v1alpha1.OverridePrefix)
	})
}

// findOverrides adds the annotations that set fields of an injector's containers. It returns findings about those that
// may not.
func (v *Values) findOverrides(i *Injector, subject Subject) (findings []finding.Finding) {
	for key, value := range node.Fields(subject.annotations()) {
		name, ok := strings.CutPrefix(key, v1alpha1.OverridePrefix)
		container, field, dotted := strings.Cut(name, ".")
		if !ok || !dotted || key == i.Spec.Marker || strings.HasPrefix(name, "injected-") {
			continue // it has another meaning
		}
		position, found := v.find(i, container)
		if found == nil {
			continue // it is for another injector
		}
		switch {
		case !slices.Contains(found.AllowOverride, field):
			findings = append(findings, subject.notAllowed(key, field, container, found.AllowOverride))
		case value.Kind != node.ScalarNode || node.IsNull(value):
			message := fmt.Sprintf("the annotation %s is %s; write one value in quotes", key, node.Describe(value))
			refused := subject.refuse(finding.OverrideInvalid, subject.annotation(key), node.Brief(value), message)
			findings = append(findings, refused)
		default:
			o := override{
				Position:   position,
				at:         schema.InSpec(position.List).Index(position.Index),
				value:      value.Value,
				annotation: key,
			}
			o.steps, o.typ, _ = overridable(field)
			for _, step := range o.steps {
				o.at = o.at.Key(step)
			}
			o.at = i.declared.Positions.Of(o.at)
			v.overrides = append(v.overrides, o)
			body := node.Clone(v.Of(found.Body))
			o.setIn(body)
			v.overridden[found.Body] = body
		}
	}
	return findings
}

// overrideKey returns the annotation that sets a field of a container.
func overrideKey(container, field string) string {
	return v1alpha1.OverridePrefix + container + "." + field
}

// notAllowed warns of an annotation that looks like an override and is ignored.
func (s Subject) notAllowed(key, field, container string, allowed []string) finding.Finding {
	message := fmt.Sprintf(
		"the annotation %s is ignored, because %s of container %q may not be overridden; what may be is %s",
		key, field, container, strings.Join(allowed, ", "))
	_, _, found := overridable(field)
	if near := spelling.Nearest(field, allowed); near != "" && found != nil {
		message += "; did you mean " + overrideKey(container, near) + "?"
	}
	if len(allowed) == 0 {
		message = fmt.Sprintf("the annotation %s is ignored, because nothing of container %q may be overridden; "+
			"remove it, or write allowOverride: [%s] on the container in the injector", key, container, field)
	}
	f := s.refuse(finding.OverrideNotAllowed, s.annotation(key), "", message)
	f.Severity = finding.Warning
	return f
}

// find returns the container of the payload that has a name in the pod.
func (v *Values) find(i *Injector, name string) (pod.Position, *Container) {
	for list, containers := range [...][]Container{i.Containers, i.InitContainers} {
		for n := range containers {
			if node.Text(v.Of(node.Get(containers[n].Body, "name"))) == name {
				return pod.Position{List: pod.ContainerLists[list], Index: n}, &containers[n]
			}
		}
	}
	return pod.Position{}, nil
}

// setIn sets the value of an override in a container, which must be safe to change. It copies the nodes on the way.
func (o override) setIn(container *node.Node) {
	at := container
	last := len(o.steps) - 1
	for _, step := range o.steps[:last] {
		at = node.OwnMapping(at, step)
	}
	value := schema.ScalarFor(o.typ, o.value)
	if before := node.Get(at, o.steps[last]); before != nil && before.Tag == node.StrTag && value.Tag == node.StrTag {
		value.Style = before.Style
	}
	node.Set(at, o.steps[last], value)
}
