package apply

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Wherever the app's value stays although the payload has another, a warning names both, because the sidecar may not
// work then. It is made when all injectors are done, because a later one may change what stays.

// lateWarning is something that stays in the pod although the payload may want something else. It reports the warnings,
// given a version of the pod template, and the one of the file, whose paths they have.
type lateWarning func(version, file *stamp.View) []finding.Finding

// MayWarn reports whether something may stay although the payload wants something else.
func (w Wanted) MayWarn() bool { return w.pod != nil && len(w.pod.lateWarnings) > 0 }

// LateWarnings returns warnings about what stays in a version of the pod template although the payload wants something else.
// Their paths are those of the file, which may have what the run's injectors had added before.
func (w Wanted) LateWarnings(version, file *stamp.View) []finding.Finding {
	var findings []finding.Finding
	for _, report := range w.pod.lateWarnings {
		findings = append(findings, report(version, file)...)
	}
	return findings
}

// warning is about a value of the app that stays.
type warning struct {
	code    finding.Code
	subject string   // volume "data"; the field itself if it is empty
	why     string   // the field of the config that decides it
	remedy  string   // besides making both equal
	list    *pod.Row // of the entry that stays; nil for a field
}

// warnLater notes something that stays, with the warning in case that it differs from what is wanted.
func (p *Pod) warnLater(at stamp.Address, wanted *node.Node, w warning) {
	p.lateWarnings = append(p.lateWarnings, func(version, file *stamp.View) []finding.Finding {
		present := version.At(at.Path, at.Key)
		if present == nil { // an injector that failed had set it
			return nil
		}
		path := file.FieldOf(at, "")
		if w.list != nil && w.list.Expands { // Kubernetes uses the last one
			entries := version.List(at.Path)
			has := w.list.HasKeyOf(wanted)
			present = entries[lastOf(entries, has)]
			if last := lastOf(file.List(at.Path), has); last >= 0 {
				path = file.FieldOf(stamp.AddressOf(at.Path), "") + "[" + strconv.Itoa(last) + "]"
			}
		}
		is := valueOf(w.list, present)
		wants := valueOf(w.list, wanted)
		if node.Equal(is, wants) {
			return nil
		}
		if strings.HasPrefix(at.Path, "metadata/") {
			path = strings.ReplaceAll(at.Path, "/", ".") + "." + at.Key
		}
		subject := cmp.Or(w.subject, strings.TrimPrefix(path, "spec.")+" of the pod")
		why := ""
		if w.why != "" {
			why = " (" + w.why + ")"
		}
		return []finding.Finding{newWarning(w.code, p.At(path), present, wanted,
			"%s is %s and stays so; the injector wants %s%s, %s; make them equal%s",
			subject, shown(is), shown(wants), why, mayNotWork, w.remedy)}
	})
}

// valueOf returns what messages show of an entry, which they name already: the value of a variable, or where it comes
// from, and a volume without its name.
func valueOf(row *pod.Row, entry *node.Node) *node.Node {
	switch {
	case row == nil:
	case row == pod.InSpec("volumes"):
		entry = node.Clone(entry)
		node.Delete(entry, "name")
	case row.Expands:
		for _, field := range []string{"value", "valueFrom"} {
			if value := node.Get(entry, field); !node.IsNull(value) {
				return value
			}
		}
		return node.String("")
	}
	return entry
}

func newWarning(code finding.Code, path string, present, wanted *node.Node, format string, args ...any) finding.Finding {
	f := newFinding(finding.Warning, code, path, format, args...)
	f.Field.Current = briefOrEmpty(present)
	f.Field.Proposed = briefOrEmpty(wanted)
	return f
}

// briefOrEmpty returns a value as one short line, or nothing if there is none.
func briefOrEmpty(n *node.Node) string {
	if node.IsNull(n) {
		return ""
	}
	return node.Brief(n)
}

const mayNotWork = "so the sidecar may not work"

// shown returns a value for messages. Strings are in quotes, because "1" and 1 differ.
func shown(n *node.Node) string {
	switch {
	case node.IsNull(n):
		return "not set"
	case node.IsString(n):
		return strconv.Quote(node.Brief(n))
	default:
		return node.Brief(n)
	}
}

// warnOfMetadata notes a label or annotation that stays by patchPolicy: Retain.
func (p *Pod) warnOfMetadata(op injector.Operation, at stamp.Address) {
	subject := fmt.Sprintf("%s %q of the pod", op.Row.Noun, op.Key)
	w := warning{finding.MetadataConflict, subject, "patchPolicy: Retain", ", or set patchPolicy to Overwrite", nil}
	if op.Row.Name() == labels && slices.Contains(p.SelectorLabels, op.Key) {
		w.remedy = ", or remove it from spec.patchPodMetadata, because the workload's selector uses it"
	}
	p.warnLater(at, op.Value, w)
}

// warnOfSpec notes a field of the pod spec that stays.
func (p *Pod) warnOfSpec(at stamp.Address, wanted *node.Node, subject string) {
	const remedy = ", or remove it from spec.podSpec"
	p.warnLater(at, wanted, warning{finding.PodSpecConflict, subject, "spec.podSpec", remedy, nil})
}

// warnOfEntry notes an entry of a list that stays.
func (f *filler) warnOfEntry(l *list, at stamp.Address, wanted *node.Node) {
	row := l.row
	taken := l.row.Taken
	if taken.Code == "" {
		f.fields = append(f.fields, wantedField{l.thing(wanted), wanted})
		return
	}
	subject := fmt.Sprintf("%s %q of the app's container %q", row.KeyNoun(), row.Key(wanted), f.container)
	w := warning{list: row, code: taken.Code, subject: subject}
	if taken.Field != "" {
		w.why = "spec.onConflict." + taken.Field + ": Keep"
	}
	if taken.Replace {
		w.remedy = ", or set spec.onConflict." + taken.Field + " to Replace"
	}
	if f.container == "" {
		w.subject = fmt.Sprintf("volume %q", row.Key(wanted))
		w.remedy = ", rename the injector's" + w.remedy
	}
	if f.plan.IsForeign() && f.container == "" { // a SidecarSet has no such field
		w.why = ""
		w.remedy = ", or rename the injector's"
	}
	f.warnLater(at, wanted, w)
}

// differingField is a field of the app that stays although the payload has another value.
type differingField struct {
	path            string
	present, wanted *node.Node
}

// wantedField is a field that the app may have with another value.
type wantedField struct {
	at     stamp.Address
	wanted *node.Node
}

// warnOfFields notes the fields of a container that stay in a merge.
func (p *Pod) warnOfFields(container stamp.Address, wanted []wantedField) lateWarning {
	return func(version, file *stamp.View) []finding.Finding {
		var differing []differingField
		for _, f := range wanted {
			if present := version.At(f.at.Path, f.at.Key); !node.Equal(present, f.wanted) {
				differing = append(differing, differingField{p.At(file.FieldOf(f.at, "")), present, f.wanted})
			}
		}
		if len(differing) == 0 {
			return nil
		}
		first := differing[0]
		return []finding.Finding{newWarning(finding.ContainerConflict, first.path, first.present, first.wanted,
			"container %q of the app keeps values that differ from the injector's: %s "+
				"(spec.onConflict.container: Merge), %s; "+
				"make them equal, or set spec.onConflict.container to Replace",
			container.Key, describeFields(differing, p.At(file.FieldOf(container, ""))), mayNotWork)}
	}
}

// describeFields returns a few fields with both values. The paths are shown without that of the container.
func describeFields(fields []differingField, path string) string {
	const most = 3
	var parts []string
	for _, f := range fields[:min(len(fields), most)] {
		parts = append(parts, fmt.Sprintf("%s is %s instead of %s",
			strings.TrimPrefix(f.path, path+"."), shown(f.present), shown(f.wanted)))
	}
	if more := len(fields) - most; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, ", ")
}
