package payload

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// Wherever the app's value stays although the payload has another, a warning names both, because the sidecar may not work then.

// Kept returns warnings about what stays in the pod although the payload wants something else.
func (p *Pod) Kept() []finding.Finding { return p.kept }

// keep adds a warning about something that stays.
func (p *Pod) keep(code finding.Code, path string, present, wanted *yaml.Node, format string, args ...any) {
	p.kept = append(p.kept, newKept(code, path, present, wanted, format, args...))
}

func newKept(code finding.Code, path string, present, wanted *yaml.Node, format string, args ...any) finding.Finding {
	f := newFinding(finding.Warning, code, path, format, args...)
	f.Field.Current, f.Field.Proposed = briefOrEmpty(present), briefOrEmpty(wanted)
	return f
}

// briefOrEmpty returns a value as one short line, or nothing if there is none.
func briefOrEmpty(n *yaml.Node) string {
	if node.IsNull(n) {
		return ""
	}
	return node.Brief(n)
}

const mayNotWork = "so the sidecar may not work"

// stays returns the part of a message that has both values.
func stays(present, wanted *yaml.Node) string {
	return fmt.Sprintf("is %s and stays so; the injector wants %s", shown(present), shown(wanted))
}

// shown returns a value for messages. Strings are in quotes, because "1" and 1 differ.
func shown(n *yaml.Node) string {
	switch {
	case node.IsNull(n):
		return "not set"
	case node.IsString(n):
		return strconv.Quote(node.Brief(n))
	default:
		return node.Brief(n)
	}
}

// keptField is a field of the app that stays although the payload has another value.
type keptField struct {
	path            string
	present, wanted *yaml.Node
}

// keepField records a field that stays, unless the payload has the same value.
func (m *merger) keepField(path string, present, wanted *yaml.Node) {
	if !node.Equal(present, wanted) {
		m.fields = append(m.fields, keptField{path, present, wanted})
	}
}

// keepEntry records an entry of a list that stays as it is.
func (m *merger) keepEntry(place string, row *pod.Row, present, wanted *yaml.Node) {
	is, wants, taken := present, wanted, row.Taken
	switch {
	case taken.Code == "":
		m.keepField(place, present, wanted)
		return
	case row.Expands:
		if is, wants = variableValue(present), variableValue(wanted); node.Equal(is, wants) {
			return
		}
	}
	why, remedy := "", "make them equal"
	if taken.Field != "" {
		why = " (spec.onConflict." + taken.Field + ": Keep)"
	}
	if taken.Replace {
		remedy += ", or set spec.onConflict." + taken.Field + " to Replace"
	}
	m.kept = append(m.kept, newKept(taken.Code, place, present, wanted, "%s %q of the app's container %q %s%s, %s; %s",
		row.KeyNoun(), row.Key(wanted), m.container, stays(is, wants), why, mayNotWork, remedy))
}

// variableValue returns the value of a variable, or where it comes from. Without either, it is empty.
func variableValue(variable *yaml.Node) *yaml.Node {
	for _, field := range []string{"value", "valueFrom"} {
		if value := node.Get(variable, field); !node.IsNull(value) {
			return value
		}
	}
	return node.String("")
}

// keepFields reports the fields of a container that stay in a merge.
func (p *Pod) keepFields(container, path string, fields []keptField) {
	if len(fields) == 0 {
		return
	}
	p.keep(finding.ContainerConflict, fields[0].path, fields[0].present, fields[0].wanted,
		"container %q of the app keeps values that differ from the injector's: %s (spec.onConflict.container: Merge), %s; "+
			"make them equal, or set spec.onConflict.container to Replace",
		container, describeFields(fields, path), mayNotWork)
}

// describeFields returns a few fields with both values. The paths are shown without that of the container.
func describeFields(fields []keptField, path string) string {
	const most = 3
	var parts []string
	for _, f := range fields[:min(len(fields), most)] {
		parts = append(parts, fmt.Sprintf("%s is %s instead of %s", strings.TrimPrefix(f.path, path+"."), shown(f.present), shown(f.wanted)))
	}
	if more := len(fields) - most; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, ", ")
}

// keepPodSpec reports fields of the pod spec that stay.
func (p *Pod) keepPodSpec(fields []keptField) {
	for _, f := range fields {
		p.keep(finding.PodSpecConflict, f.path, f.present, f.wanted, "%s of the pod %s (spec.podSpec), %s; make them equal, "+
			"or remove it from spec.podSpec", strings.TrimPrefix(f.path, p.At("spec")+"."), stays(f.present, f.wanted), mayNotWork)
	}
}

// keepSynonym reports a field of the pod spec that the pod has under its other name.
func (p *Pod) keepSynonym(synonym, field string) {
	present, wanted := node.Get(p.Spec(), synonym), node.Get(p.payload.PodSpec, field)
	setsBoth := !node.IsNull(node.Get(p.payload.PodSpec, synonym)) // then the other one decides
	if setsBoth || node.IsNull(wanted) || node.Equal(present, wanted) {
		return
	}
	p.keep(finding.PodSpecConflict, p.At("spec."+synonym), present, wanted,
		"%s of the pod, which is another name of %s, %s (spec.podSpec), %s; make them equal, or remove it from spec.podSpec",
		synonym, field, stays(present, wanted), mayNotWork)
}

// keepMetadata reports a label or annotation that stays by patchPolicy: Retain.
func (p *Pod) keepMetadata(field, key string, wanted *yaml.Node) {
	present := node.Get(p.Node, "metadata", field, key)
	if node.IsNull(wanted) || node.Equal(present, wanted) {
		return
	}
	remedy := "set patchPolicy to Overwrite"
	if field == labels && slices.Contains(p.SelectorLabels, key) {
		remedy = "remove it from spec.patchPodMetadata, because the workload's selector uses it"
	}
	p.keep(finding.MetadataConflict, p.At("metadata."+field+"."+key), present, wanted, "%s %q of the pod %s (patchPolicy: Retain), %s; "+
		"make them equal, or %s", pod.At("metadata/"+field).Noun, key, stays(present, wanted), mayNotWork, remedy)
}
