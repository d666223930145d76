package injector

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/util/intstr"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/spelling"
	"pillion.dev/pillion/internal/yaml/node"
)

// override is an annotation that sets a field of the payload.
type override struct {
	list       string
	index      int // of the container in its list
	field      string
	annotation string
	value      string
}

// at is the field that is set, in the config.
func (o override) at(d declaration) path {
	at := d.at(o.list).index(o.index)
	for _, step := range stepsTo(o.field) {
		at = at.key(step)
	}
	return at
}

// mayOverride tells whether there is an annotation that looks like an override. It looks at
// each pod, so that it does nothing else.
func mayOverride(annotations *yaml.Node) bool {
	if annotations == nil || annotations.Kind != yaml.MappingNode {
		return false
	}
	for i := 0; i+1 < len(annotations.Content); i += 2 {
		if key := annotations.Content[i]; key.Tag == "!!merge" || strings.HasPrefix(key.Value, v1alpha1.OverridePrefix) {
			return true
		}
	}
	return false
}

// overridesOf are the annotations that set fields of this injector's containers, and warnings
// about those that may not.
func (i *Injector) overridesOf(subject Subject) (allowed []override, said []finding.Finding) {
	annotations := node.Get(subject.Template.Node, "metadata", "annotations")
	if !mayOverride(annotations) {
		return nil, nil
	}
	for _, key := range node.Keys(annotations) {
		name, ok := strings.CutPrefix(key, v1alpha1.OverridePrefix)
		container, field, dotted := strings.Cut(name, ".")
		if !ok || !dotted || key == i.Spec.Marker || strings.HasPrefix(name, "injected-") {
			continue
		}
		list, index, found := i.find(container)
		if found == nil {
			continue // it is for another injector
		}
		value := node.Get(annotations, key)
		switch {
		case !slices.Contains(found.AllowOverride, field):
			said = append(said, subject.notAllowed(key, field, found))
		case value.Kind != yaml.ScalarNode || node.IsNull(value):
			said = append(said, subject.refuse(finding.OverrideInvalid, subject.annotation(key), node.Brief(value),
				fmt.Sprintf("the annotation %s is %s; write one value in quotes", key, node.Describe(value))))
		default:
			allowed = append(allowed, override{list, index, field, key, value.Value})
		}
	}
	return allowed, said
}

// find is a container of the payload by its name, and where it stands.
func (i *Injector) find(name string) (list string, index int, found *Container) {
	for n := range i.Containers {
		if i.Containers[n].Name == name {
			return "containers", n, &i.Containers[n]
		}
	}
	for n := range i.InitContainers {
		if i.InitContainers[n].Name == name {
			return "initContainers", n, &i.InitContainers[n]
		}
	}
	return "", 0, nil
}

// notAllowed is about an annotation that looks as if it worked.
func (s Subject) notAllowed(key, field string, c *Container) finding.Finding {
	message := fmt.Sprintf("the annotation %s is ignored, because %s of container %q may not be overridden; what may be is %s",
		key, field, c.Name, strings.Join(c.AllowOverride, ", "))
	_, noField := overridable(field)
	if near := spelling.Nearest(field, c.AllowOverride); near != "" && noField != nil {
		message += fmt.Sprintf("; did you mean %s%s.%s?", v1alpha1.OverridePrefix, c.Name, near)
	}
	if len(c.AllowOverride) == 0 {
		message = fmt.Sprintf("the annotation %s is ignored, because nothing of container %q may be overridden; remove it, or write allowOverride: [%s] on the container in the injector",
			key, c.Name, field)
	}
	f := s.refuse(finding.OverrideNotAllowed, s.annotation(key), "", message)
	f.Severity = finding.Warning
	return f
}

// setOverrides puts the values of overrides into a payload. The lists and what is on the way to the
// values are copied.
func setOverrides(fields *yaml.Node, overrides []override) {
	for _, o := range overrides {
		at := node.OwnEntry(node.Own(fields, o.list), o.index)
		t, _ := overridable(o.field)
		steps := stepsTo(o.field)
		for _, step := range steps[:len(steps)-1] {
			inner := node.Own(at, step)
			if node.IsNull(inner) {
				inner = node.Mapping()
				node.Set(at, step, inner)
			}
			at = inner
		}
		last := steps[len(steps)-1]
		value := scalarFor(t, o.value)
		if before := node.Get(at, last); before != nil && before.Tag == "!!str" && value.Tag == "!!str" {
			value.Style = before.Style
		}
		node.Set(at, last, value)
	}
}

// scalarFor is the text of an annotation as the field's type wants it, or a string where it does
// not fit: then reading it says so.
func scalarFor(t reflect.Type, text string) *yaml.Node {
	number, notInt := strconv.ParseInt(text, 10, 64)
	switch {
	case t.Kind() == reflect.Bool && (text == "true" || text == "false"):
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: text}
	case notInt == nil && (t.Kind() >= reflect.Int && t.Kind() <= reflect.Int64 || t == reflect.TypeFor[intstr.IntOrString]()):
		// Written anew, because YAML takes 010 for an octal number.
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.FormatInt(number, 10)}
	}
	return node.String(text)
}
