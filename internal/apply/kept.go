package apply

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

// Wherever the app's value stays although the payload has another, a warning names both, because the sidecar may not work then. It is
// made when all injectors are done, because a later one may change what stays.

// keptThing is something that stays in the pod although the payload may want something else. It reports the warnings, given a version
// of the pod template.
type keptThing func(version *stamp.View) []finding.Finding

// MayKeep reports whether something may stay although the payload wants something else.
func (p *Pod) MayKeep() bool { return len(p.kept) > 0 }

// Kept returns warnings about what stays in a version of the pod template although the payload wants something else.
func (p *Pod) Kept(version *stamp.View) []finding.Finding {
	var findings []finding.Finding
	for _, report := range p.kept {
		findings = append(findings, report(version)...)
	}
	return findings
}

// keep notes something that stays. The function returns the warning if it differs from what is wanted.
func (p *Pod) keep(at stamp.Thing, wanted *yaml.Node, warning func(path string, present *yaml.Node) finding.Finding) {
	p.kept = append(p.kept, func(version *stamp.View) []finding.Finding {
		present := version.At(at.Path, at.Key)
		if node.Equal(present, wanted) {
			return nil
		}
		return []finding.Finding{warning(p.At(version.FieldOf(at, "")), present)}
	})
}

// keepAnyway notes a warning that does not depend on other injectors.
func (p *Pod) keepAnyway(warning finding.Finding) {
	p.kept = append(p.kept, func(*stamp.View) []finding.Finding { return []finding.Finding{warning} })
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

// wantedField is a field that the app may have with another value.
type wantedField struct {
	at     stamp.Thing
	wanted *yaml.Node
}

// differing returns those of the fields that differ in a version of the pod template.
func (p *Pod) differing(version *stamp.View, fields []wantedField) []keptField {
	var differing []keptField
	for _, f := range fields {
		if present := version.At(f.at.Path, f.at.Key); !node.Equal(present, f.wanted) {
			differing = append(differing, keptField{p.At(version.FieldOf(f.at, "")), present, f.wanted})
		}
	}
	return differing
}

// keepField notes a field that stays.
func (m *merger) keepField(at stamp.Thing, wanted *yaml.Node) {
	m.fields = append(m.fields, wantedField{at, wanted})
}

// keepEntry notes an entry of a list that stays as it is.
func (m *merger) keepEntry(list keyedList, wanted *yaml.Node) {
	row, taken := list.row, list.row.Taken
	if taken.Code == "" {
		m.keepField(stamp.Thing{Path: list.at, Key: stamp.KeyOf(list.at, wanted)}, wanted)
		return
	}
	why, remedy, container := "", "make them equal", m.container
	if taken.Field != "" {
		why = " (spec.onConflict." + taken.Field + ": Keep)"
	}
	if taken.Replace {
		remedy += ", or set spec.onConflict." + taken.Field + " to Replace"
	}
	m.kept = append(m.kept, func(version *stamp.View) []finding.Finding {
		above := stamp.ThingAt(list.at)
		entries := node.List(version.At(above.Path, above.Key))
		index := row.Find(entries, wanted)
		if index < 0 {
			return nil
		}
		if row.Expands {
			index = lastOf(entries, row.HasKeyOf(wanted)) // which Kubernetes uses
		}
		present := node.Resolve(entries[index])
		is, wants := present, wanted
		if row.Expands {
			is, wants = variableValue(present), variableValue(wanted)
		}
		if node.Equal(is, wants) {
			return nil
		}
		place := m.pod.At(version.FieldOf(above, "")) + "[" + strconv.Itoa(index) + "]"
		return []finding.Finding{newKept(taken.Code, place, present, wanted, "%s %q of the app's container %q %s%s, %s; %s",
			row.KeyNoun(), row.Key(wanted), container, stays(is, wants), why, mayNotWork, remedy)}
	})
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

// keepFields notes the fields of a container that stay in a merge.
func (p *Pod) keepFields(container stamp.Thing, wanted []wantedField) {
	p.kept = append(p.kept, func(version *stamp.View) []finding.Finding {
		fields := p.differing(version, wanted)
		if len(fields) == 0 {
			return nil
		}
		return []finding.Finding{newKept(finding.ContainerConflict, fields[0].path, fields[0].present, fields[0].wanted,
			"container %q of the app keeps values that differ from the injector's: %s (spec.onConflict.container: Merge), %s; "+
				"make them equal, or set spec.onConflict.container to Replace",
			container.Key, describeFields(fields, p.At(version.FieldOf(container, ""))), mayNotWork)}
	})
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

// keepPodSpec notes fields of the pod spec that stay.
func (p *Pod) keepPodSpec(wanted []wantedField) {
	p.kept = append(p.kept, func(version *stamp.View) []finding.Finding {
		var findings []finding.Finding
		for _, f := range p.differing(version, wanted) {
			findings = append(findings, newKept(finding.PodSpecConflict, f.path, f.present, f.wanted,
				"%s of the pod %s (spec.podSpec), %s; make them equal, or remove it from spec.podSpec",
				strings.TrimPrefix(f.path, p.At("spec")+"."), stays(f.present, f.wanted), mayNotWork))
		}
		return findings
	})
}

// keepSynonym notes a field of the pod spec that the pod has under its other name.
func (p *Pod) keepSynonym(synonym, field string) {
	wanted := node.Get(p.payload.PodSpec, field)
	setsBoth := !node.IsNull(node.Get(p.payload.PodSpec, synonym)) // then the other one decides
	if setsBoth || node.IsNull(wanted) {
		return
	}
	p.keep(stamp.Thing{Path: "spec", Key: synonym}, wanted, func(path string, present *yaml.Node) finding.Finding {
		return newKept(finding.PodSpecConflict, path, present, wanted,
			"%s of the pod, which is another name of %s, %s (spec.podSpec), %s; make them equal, or remove it from spec.podSpec",
			synonym, field, stays(present, wanted), mayNotWork)
	})
}

// keepMetadata notes a label or annotation that stays by patchPolicy: Retain.
func (p *Pod) keepMetadata(field, key string, wanted *yaml.Node) {
	remedy := "set patchPolicy to Overwrite"
	if field == labels && slices.Contains(p.SelectorLabels, key) {
		remedy = "remove it from spec.patchPodMetadata, because the workload's selector uses it"
	}
	at := stamp.Thing{Path: "metadata/" + field, Key: key}
	p.keep(at, wanted, func(_ string, present *yaml.Node) finding.Finding {
		return newKept(finding.MetadataConflict, p.At("metadata."+field+"."+key), present, wanted,
			"%s %q of the pod %s (patchPolicy: Retain), %s; make them equal, or %s",
			pod.At(at.Path).Noun, key, stays(present, wanted), mayNotWork, remedy)
	})
}
