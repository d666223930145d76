package engine

import (
	"cmp"
	"fmt"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/outcome"
)

// Messages about input without an object.
const (
	emptyConfig = "the config is empty; write a SidecarInjector into it (pillion init writes one to start with)"
	acceptEmpty = "; check where it comes from, or accept it with --allow-empty"
)

func tooMuchWork(limit int64) finding.Finding {
	return newFinding(finding.Error, finding.LimitExceeded, nil, "the run was stopped after %d steps of work, the most for so much input; "+
		"run fewer injectors at once, on fewer manifests, or use shorter patterns and payloads", limit)
}

func noInjectors() finding.Finding {
	return newFinding(finding.Error, finding.InvalidConfig, nil, "there are no injectors; give at least one SidecarInjector")
}

// leftByFailure is the reason of every workload of a run that failed before it decided about any.
func leftByFailure(failure finding.Finding) finding.Finding {
	about := ""
	if failure.Object != nil {
		about = failure.Object.String() + ": "
	}
	return newFinding(finding.Info, failure.Code, nil, "it is left as it is, because of an error: %s%s", about, failure.Message)
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
	if !m.injector.IsForeign() {
		remedy += " on the command line, or as spec.defaultNamespace in a function config"
	}
	f := newFinding(finding.Warning, finding.NamespaceUnknown, nil, "%s without metadata.namespace (%s) %s %s; %s",
		outcome.Plural(len(workloads), "workload"), which, are, effect, remedy)
	f.Injector = m.injector.Name
	return f
}

// noReasons is used where no workload has a reason of its own for this injector.
func noReasons(m *member) string {
	if each := showEach(m); each != "" {
		return " (" + each + ")"
	}
	return ""
}

func noMatch(m *member, reasons string) string {
	return "nothing is injected, because no workload matches" + reasons + expectNone(m)
}

func noWorkload(m *member) string {
	return "nothing is injected, because there is no workload in the input" + expectNone(m)
}

func expectNone(m *member) string {
	if m.injector.IsForeign() {
		return ""
	}
	return "; set spec.expect.min to 1 to make this an error, or to 0 if it is intended"
}

func tooFew(have, least int, reasons string) string {
	return fmt.Sprintf("%s, and spec.expect.min is %d%s; select more workloads, or lower spec.expect.min", haveSidecar(have), least, reasons)
}

func tooMany(have, most int) string {
	return fmt.Sprintf("%s, and spec.expect.max is %d; select fewer workloads, or raise spec.expect.max", haveSidecar(have), most)
}

// haveSidecar is about the state after the run, and it is true for Verify as well, which changes nothing.
func haveSidecar(workloads int) string {
	return outcome.Plural(workloads, "workload") + " would have the sidecar"
}

// showEach returns how to see the reason for each workload, or "" if there is no way.
func showEach(m *member) string {
	switch {
	case !m.isFunction:
		return "-v shows each"
	case m.injector.IsForeign():
		return ""
	}
	return "spec.report: Info shows each"
}

// reasonsMessage lists the reasons why workloads were left alone, in the order of the codes, with their counts and an example.
func reasonsMessage(m *member, codes []finding.Code, counts map[finding.Code]int, example outcome.Workload) string {
	shown := make([]string, len(codes))
	total := 0
	for i, code := range codes {
		shown[i] = fmt.Sprintf("%d %s", counts[code], code)
		total += counts[code]
	}
	if each := showEach(m); total > 1 && each != "" {
		shown = append(shown, each)
	}
	return " (" + strings.Join(shown, ", ") + "): " + example.Object.String() + ": " + reasonMessage(example.Outcomes[0])
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
