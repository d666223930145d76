package admission

import (
	"fmt"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/jsonpointer"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// addPodSpec sets other fields of the pod that it does not set: scalars, the keys of mappings, and the entries of lists.
func (c *compiler) addPodSpec() {
	for i := range c.injectors {
		in := &c.injectors[i]
		if in.PodSpec != nil {
			c.addFields(in, in.PodSpec, []string{"spec"})
		}
	}
	c.setLists()
}

// addFields sets the fields of a mapping of the pod that it does not set.
func (c *compiler) addFields(in *compiled, fields *node.Node, path []string) {
	for key, value := range node.Fields(fields) {
		if node.IsNull(value) {
			continue
		}
		at := append(append([]string{}, path...), key)
		c.from(in, "podSpec."+at[1])
		if value = node.Resolve(value); value.Kind == node.SequenceNode {
			c.addToList(in, value, at)
			continue
		}
		if value.Kind == node.MappingNode && !pod.Of(at...).Whole && len(value.Content) > 0 {
			c.create(optionalPath(at), jsonpointer.New(at...), "{}", in.selected)
			c.addFields(in, value, at)
			continue
		}
		c.operate(fmt.Sprintf("podSpec of %s, unless the pod sets it: %s", in.Name, strings.Join(at, ".")),
			"(!%s || object%s.hasValue() ? [] : [JSONPatch{op: \"add\", path: %s, value: %s}])",
			in.selected, optionalPath(at), quote(jsonpointer.New(at...)), "dyn("+literal(value)+")")
	}
}

// addMetadata sets labels and annotations.
func (c *compiler) addMetadata() {
	for i := range c.injectors {
		in := &c.injectors[i]
		for n, patch := range in.PodMetadata {
			c.from(in, fmt.Sprintf("patchPodMetadata[%d]", n))
			c.addKeys(in, "labels", patch.Labels, patch.Policy)
			c.addKeys(in, "annotations", patch.Annotations, patch.Policy)
		}
	}
}

func (c *compiler) addKeys(in *compiled, field string, keys *node.Node, policy v1alpha1.PatchPolicy) {
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
			"(!%s%s ? [] : [JSONPatch{op: \"add\", path: %s, value: %s}])", in.selected, unless, quote(jsonpointer.New(at...)), literal(value))
	}
}

// optionalPath returns the expression for a field of the pod that may be absent, as may be those above it.
func optionalPath(path []string) string {
	var b strings.Builder
	for i, key := range path {
		if i == 0 {
			b.WriteString("." + key)
		} else {
			b.WriteString(selector(key))
		}
	}
	return b.String()
}

// isIdentifier reports whether a key can be selected by a dot.
func isIdentifier(key string) bool {
	return !strings.ContainsFunc(key, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') }) && key != ""
}
