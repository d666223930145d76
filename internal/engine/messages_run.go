package engine

import (
	"cmp"
	"fmt"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/outcome"
)

func noInjectors() finding.Finding {
	return newFinding(finding.Error, finding.InvalidConfig, nil, "there are no injectors; give at least one SidecarInjector")
}

func missingReference(in *injector.Injector, ref injector.Reference) finding.Finding {
	at := &finding.Field{Path: ref.Path}
	f := newFinding(finding.Info, finding.ReferenceMissing, at, "the payload names the %s %q, which is not in the input; "+
		"make sure that the cluster has it, in the namespace of each workload", ref.Kind, ref.Name)
	f.Injector = in.Name
	return f
}

func missingNamespace(m *member, workloads []finding.Object) finding.Finding {
	which, are := "the first is "+workloads[0].String(), "are"
	if len(workloads) == 1 {
		which, are = workloads[0].String(), "is"
	}
	effect := "not checked against spec.namespaces.exclude"
	if m.injector.RequiresNamespace() {
		effect = "skipped, because the injector is only for some namespaces"
	}
	remedy := "name the namespace to deploy to with -n"
	if !m.isForeign() {
		remedy += " on the command line, or as spec.defaultNamespace in a function config"
	}
	f := newFinding(finding.Warning, finding.NamespaceUnknown, nil, "%s without metadata.namespace (%s) %s %s; %s",
		outcome.Plural(len(workloads), "workload"), which, are, effect, remedy)
	f.Injector = m.injector.Name
	return f
}

// isForeign reports whether the config is of another tool's kind, which has neither spec.expect nor spec.report.
func (m *member) isForeign() bool { return m.injector.Kind != "" }

func noMatch(m *member, reasons string) string {
	return "no workload matches" + reasons + expectNone(m)
}

func noWorkload(m *member) string { return "there is no workload in the input" + expectNone(m) }

func expectNone(m *member) string {
	if m.isForeign() {
		return ""
	}
	return "; if that is intended, set spec.expect.min to 0"
}

func matched(matches int, limit string, number int) string {
	return fmt.Sprintf("%s matched, and spec.expect.%s is %d", outcome.Plural(matches, "workload"), limit, number)
}

func noReasons(m *member) string {
	if m.isForeign() {
		return ""
	}
	return " (spec.report: Info shows why)"
}

// reasonsMessage counts the reasons why workloads were left alone, in the order of the codes, and gives an example.
func reasonsMessage(m *member, codes []finding.Code, counts map[finding.Code]int, example outcome.Workload, labels string) string {
	shown := make([]string, len(codes))
	for i, code := range codes {
		shown[i] = fmt.Sprintf("%d %s", counts[code], code)
	}
	parts := []string{strings.Join(shown, ", "), example.Object.String() + ": " + reasonMessage(&example.Outcomes[0])}
	if labels != "" {
		parts = append(parts, labels)
	}
	if !m.isForeign() {
		parts = append(parts, "spec.report: Info shows each")
	}
	return " (" + strings.Join(parts, "; ") + ")"
}

// reasonMessage returns why an injector left a workload alone.
func reasonMessage(o *outcome.Outcome) string {
	for _, f := range o.Findings {
		if f.Code == o.Reason {
			return f.Message
		}
	}
	return cmp.Or(o.Why, string(o.Reason))
}

// labelsMessage lists labels with the numbers of workloads that have them.
func labelsMessage(labels []string, counts map[string]int) string {
	const most = 8
	if len(labels) == 0 {
		return "none of them has labels"
	}
	var shown []string
	for _, label := range labels[:min(most, len(labels))] {
		if counts[label] > 1 {
			label += fmt.Sprintf(" (%d)", counts[label])
		}
		shown = append(shown, label)
	}
	if len(labels) > most {
		shown = append(shown, fmt.Sprintf("and %d more", len(labels)-most))
	}
	return "the labels that exist are " + strings.Join(shown, ", ")
}
