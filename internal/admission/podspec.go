package admission

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// addPodSpec sets other fields of the pod that it does not set: scalars, and the keys of mappings.
func (c *compiler) addPodSpec() {
	for i := range c.injectors {
		in := &c.injectors[i]
		if in.PodSpec != nil {
			c.addFields(in, in.PodSpec, []string{"spec"})
		}
	}
}

// addFields sets the fields of a mapping of the pod that it does not set.
func (c *compiler) addFields(in *compiled, fields *yaml.Node, path []string) {
	for key, value := range node.Fields(fields) {
		if node.IsNull(value) {
			continue
		}
		at := append(append([]string{}, path...), key)
		if value.Kind == yaml.MappingNode && !podtemplate.IsOneChoice(key) && len(value.Content) > 0 {
			c.create(optionalPath(at), pointer(at), "{}", in.selected)
			c.addFields(in, value, at)
			continue
		}
		c.operate(fmt.Sprintf("podSpec of %s, unless the pod sets it: %s", in.Name, strings.Join(at, ".")),
			"(!%s || object%s.hasValue() ? [] : [JSONPatch{op: \"add\", path: %s, value: %s}])",
			in.selected, optionalPath(at), quote(pointer(at)), "dyn("+c.value(in, value)+")")
	}
}

// addMetadata sets labels and annotations.
func (c *compiler) addMetadata() {
	for i := range c.injectors {
		in := &c.injectors[i]
		for _, patch := range in.PodMetadata {
			c.addKeys(in, "labels", patch.Labels, patch.Policy)
			c.addKeys(in, "annotations", patch.Annotations, patch.Policy)
		}
	}
}

func (c *compiler) addKeys(in *compiled, field string, keys *yaml.Node, policy v1alpha1.PatchPolicy) {
	for key, value := range node.Fields(keys) {
		if node.IsNull(value) {
			continue
		}
		at := []string{"metadata", field, key}
		c.create(".metadata.?"+field, "/metadata/"+field, "{}", in.selected)
		unless := ""
		if policy == v1alpha1.PatchRetain {
			unless = fmt.Sprintf(" || %s in object.metadata.?%s.orValue({})", quote(key), field)
		}
		c.operate(fmt.Sprintf("%s %s of %s", strings.TrimSuffix(field, "s"), key, in.Name),
			"(!%s%s ? [] : [JSONPatch{op: \"add\", path: %s, value: %s}])", in.selected, unless, quote(pointer(at)), c.value(in, value))
	}
}

// optionalPath returns the expression for a field of the pod that may be absent, as may be those above it.
func optionalPath(path []string) string {
	var b strings.Builder
	for i, key := range path {
		switch {
		case i == 0:
			b.WriteString("." + key)
		case isIdentifier(key):
			b.WriteString(".?" + key)
		default:
			b.WriteString("[?" + quote(key) + "]")
		}
	}
	return b.String()
}

// isIdentifier reports whether a key can be selected by a dot.
func isIdentifier(key string) bool {
	return !strings.ContainsFunc(key, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') }) && key != ""
}

var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

// pointer returns a JSON pointer.
func pointer(path []string) string {
	var b strings.Builder
	for _, key := range path {
		b.WriteString("/" + pointerEscaper.Replace(key))
	}
	return b.String()
}
