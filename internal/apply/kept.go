package apply

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/plan"
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

// warning is about a value of the app that stays.
type warning struct {
	code    finding.Code
	subject string // volume "data"
	why     string // the field that decides it
	remedy  string // besides making both equal
}

// of returns the finding about two values, which are shown in messages without what is left out there.
func (w warning) of(path string, present, wanted, is, wants *yaml.Node) finding.Finding {
	why := ""
	if w.why != "" {
		why = " (" + w.why + ")"
	}
	return newKept(w.code, path, present, wanted, "%s is %s and stays so; the injector wants %s%s, %s; make them equal%s",
		w.subject, shown(is), shown(wants), why, mayNotWork, w.remedy)
}

// keep notes something that stays, with the warning in case that it differs from what is wanted.
func (p *Pod) keep(at stamp.Thing, wanted *yaml.Node, w warning) {
	p.kept = append(p.kept, func(version *stamp.View) []finding.Finding {
		present := version.At(at.Path, at.Key)
		if node.Equal(present, wanted) {
			return nil
		}
		path := p.At(version.FieldOf(at, ""))
		if strings.HasPrefix(at.Path, "metadata/") {
			path = p.At(strings.ReplaceAll(at.Path, "/", ".") + "." + at.Key)
		}
		return []finding.Finding{w.of(path, present, wanted, withoutName(present), withoutName(wanted))}
	})
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

// keepVolume notes a volume of the pod that stays.
func (p *Pod) keepVolume(op plan.Operation, at stamp.Thing) {
	w := warning{
		finding.VolumeConflict, fmt.Sprintf("volume %q", op.Key), keepsVolume, ", rename the injector's, or set spec.onConflict.volume to Replace",
	}
	if p.plan.IsForeign() { // a SidecarSet has no such field
		w.why, w.remedy = "", ", or rename the injector's"
	}
	p.keep(at, op.Value, w)
}

const keepsVolume = "spec.onConflict.volume: Keep"

// keepClaim notes a volumeClaimTemplate, which stays in any case.
func (p *Pod) keepClaim(op plan.Operation, path string) {
	why := " (" + keepsVolume + ")"
	if p.plan.IsForeign() {
		why = ""
	}
	f := newKept(finding.VolumeConflict, path, node.String("a volumeClaimTemplate"), op.Value,
		"volume %q is a volumeClaimTemplate and stays so; the injector wants %s%s, %s; rename the injector's, or remove it to use the claim",
		op.Key, shown(withoutName(op.Value)), why, mayNotWork)
	p.kept = append(p.kept, func(*stamp.View) []finding.Finding { return []finding.Finding{f} })
}

// withoutName returns an entry without its name, which messages have already.
func withoutName(entry *yaml.Node) *yaml.Node {
	if entry == nil || entry.Kind != yaml.MappingNode {
		return entry
	}
	entry = node.Clone(entry)
	node.Delete(entry, "name")
	return entry
}

// keepMetadata notes a label or annotation that stays by patchPolicy: Retain.
func (p *Pod) keepMetadata(op plan.Operation, at stamp.Thing) {
	w := warning{
		finding.MetadataConflict, fmt.Sprintf("%s %q of the pod", op.Row.Noun, op.Key), "patchPolicy: Retain", ", or set patchPolicy to Overwrite",
	}
	if op.Row.Name() == labels && slices.Contains(p.SelectorLabels, op.Key) {
		w.remedy = ", or remove it from spec.patchPodMetadata, because the workload's selector uses it"
	}
	p.keep(at, op.Value, w)
}

// keepSynonym notes a field of the pod spec that the pod has under its other name, unless the plan sets that as well.
func (p *Pod) keepSynonym(op plan.Operation, all []plan.Operation) {
	synonym := op.Row.Synonym
	setsBoth := slices.ContainsFunc(all, func(o plan.Operation) bool { return o.Key == synonym && !node.IsNull(o.Value) })
	if setsBoth || node.IsNull(op.Value) {
		return
	}
	p.keep(stamp.Thing{Path: "spec", Key: synonym}, op.Value, warning{
		finding.PodSpecConflict, synonym + " of the pod, which is another name of " + op.Key + ",", "spec.podSpec",
		", or remove it from spec.podSpec",
	})
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

// keepDiffering notes fields that stay, before what was noted since an index. The function makes the warnings about those that differ.
func (p *Pod) keepDiffering(index int, wanted []wantedField, warn func(*stamp.View, []keptField) []finding.Finding) {
	if len(wanted) == 0 {
		return
	}
	p.kept = slices.Insert(p.kept, index, func(version *stamp.View) []finding.Finding {
		var differing []keptField
		for _, f := range wanted {
			if present := version.At(f.at.Path, f.at.Key); !node.Equal(present, f.wanted) {
				differing = append(differing, keptField{p.At(version.FieldOf(f.at, "")), present, f.wanted})
			}
		}
		if len(differing) == 0 {
			return nil
		}
		return warn(version, differing)
	})
}

// keepPodSpec notes fields of the pod spec that stay.
func (p *Pod) keepPodSpec(index int, wanted []wantedField) {
	p.keepDiffering(index, wanted, func(_ *stamp.View, fields []keptField) (all []finding.Finding) {
		for _, f := range fields {
			w := warning{
				finding.PodSpecConflict, strings.TrimPrefix(f.path, p.At("spec")+".") + " of the pod", "spec.podSpec",
				", or remove it from spec.podSpec",
			}
			all = append(all, w.of(f.path, f.present, f.wanted, f.present, f.wanted))
		}
		return all
	})
}

// keepFields notes the fields of a container that stay in a merge.
func (p *Pod) keepFields(index int, container stamp.Thing, wanted []wantedField) {
	p.keepDiffering(index, wanted, func(version *stamp.View, fields []keptField) []finding.Finding {
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

// keepEntry notes an entry of a list that stays as it is.
func (f *filler) keepEntry(l *list, wanted *yaml.Node) {
	p, row, at, taken := f.Pod, l.row, l.at, l.row.Taken
	if taken.Code == "" {
		f.fields = append(f.fields, wantedField{l.thing(wanted), wanted})
		return
	}
	w := warning{code: taken.Code, subject: fmt.Sprintf("%s %q of the app's container %q", row.KeyNoun(), row.Key(wanted), f.container)}
	if taken.Field != "" {
		w.why = "spec.onConflict." + taken.Field + ": Keep"
	}
	if taken.Replace {
		w.remedy = ", or set spec.onConflict." + taken.Field + " to Replace"
	}
	p.kept = append(p.kept, func(version *stamp.View) []finding.Finding {
		above := stamp.ThingAt(at)
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
		path := p.At(version.FieldOf(above, "")) + "[" + strconv.Itoa(index) + "]"
		return []finding.Finding{w.of(path, present, wanted, is, wants)}
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
