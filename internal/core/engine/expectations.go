package engine

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/selection"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/text/spelling"
	"pillion.dev/pillion/internal/work/meter"
)

// missingNamespaces warns once for each injector that depends on the namespaces of workloads which have none, because
// the injector may select them wrongly.
func (r *run) missingNamespaces(result outcome.Run) []finding.Finding {
	var findings []finding.Finding
	for _, m := range r.readyInjectors {
		first := ""
		count := 0
		for _, w := range result.Workloads {
			if len(w.Outcomes) > 0 && w.Outcomes[m.index].LacksNamespace {
				first = cmp.Or(first, w.Object.String())
				count++
			}
		}
		if count == 0 {
			continue
		}
		which := first
		are := "is"
		if count > 1 {
			which = "the first is " + first
			are = "are"
		}
		effect := "not checked against spec.namespaces.exclude"
		if m.injector.RequiresNamespace() {
			effect = "skipped, because the injector is only for some namespaces"
		}
		remedy := r.flagsOr("name the namespace to deploy to with --default-namespace", "set it in the manifests")
		if !m.injector.IsForeign() {
			remedy += r.flagsOr(" on the command line, or as spec.defaultNamespace in a function config",
				", or name the namespace to deploy to as spec.defaultNamespace")
		}
		f := newFinding(finding.Warning, finding.NamespaceUnknown, nil, "%s without metadata.namespace (%s) %s %s; %s",
			spelling.Plural(count, "workload"), which, are, effect, remedy)
		f.Injector = m.injector.Name
		findings = append(findings, f)
	}
	return findings
}

// CheckExpectations returns what the config expects of all workloads of a run together, and is not the case. The run is
// made of parts, see InParts.
func (c Config) CheckExpectations(result outcome.Run) []finding.Finding {
	r, findings := prepare(nil, c)
	if finding.HasError(findings) {
		return nil // each part has the same error
	}
	return r.checkExpectations(result, nil)
}

// checkExpectations compares which workloads each injector is for, and how many have its sidecar after the run, with
// what it expects. An injector that removes expects nothing: it is done when nothing is left.
func (r *run) checkExpectations(result outcome.Run, all []visited) []finding.Finding {
	var findings []finding.Finding
	labels := map[v1alpha1.SelectorScope]labelCounts{}
	for _, m := range r.readyInjectors {
		if m.removes() || r.meter.Exceeded() {
			continue
		}
		reasons := func() string { return r.reasons(m, result, all, labels) }
		if f := r.checkExpectation(m, result, reasons); f != nil {
			f.Injector = m.injector.Name
			findings = append(findings, *f)
		}
	}
	return findings
}

// checkExpectation returns what an injector expects and is not the case, or nil. The reasons are those for which it
// leaves workloads alone.
func (r *run) checkExpectation(m *runInjector, result outcome.Run, reasons func() string) *finding.Finding {
	expect := v1alpha1.Expect{}
	if set := m.injector.Spec.Expect; set != nil {
		expect = *set
	}
	acceptsNone := expect.Min != nil && *expect.Min == 0
	losing := result.Losing(m.index)
	have, refused := result.Sidecars(m.index)
	if !result.KeepGoing {
		have += refused // nothing is written anyway, and without the errors they would have it
	}
	// This is about the state after the run, and it is true for Verify as well, which changes nothing.
	haveSidecar := spelling.Plural(have, "workload") + " would have the sidecar"
	tooFew := func(format string, args ...any) *finding.Finding {
		f := newFinding(finding.Error, finding.TooFewMatches, nil, format, args...)
		return &f
	}
	switch {
	case losing > 0 && !acceptsNone && !result.Keeps(m.index):
		return tooFew("%s would lose the sidecar, because no workload that has it matches%s; correct the selection, or if that is "+
			"meant, %s", spelling.Plural(losing, "workload"), reasons(), r.waysToRemove(m))
	case expect.Min == nil && result.Matches(m.index) == 0:
		return r.checkMatches(m, result, reasons)
	case expect.Min != nil && have < *expect.Min && r.chooses == nil: // what is expected is about all workloads
		return tooFew("%s, and spec.expect.min is %d%s; select more workloads, or lower spec.expect.min",
			haveSidecar, *expect.Min, reasons())
	case expect.Max != nil && have > *expect.Max:
		f := newFinding(finding.Error, finding.TooManyMatches, nil,
			"%s, and spec.expect.max is %d; select fewer workloads, or raise spec.expect.max", haveSidecar, *expect.Max)
		return &f
	}
	return nil
}

// waysToRemove returns how to remove the sidecar of an injector from all workloads.
func (r *run) waysToRemove(m *runInjector) string {
	command := "use pillion remove -i --injector " + m.injector.Name
	if m.injector.IsForeign() {
		return command
	}
	return "set spec.expect.min to 0, or spec.action to Remove" + r.flagsOr(", or "+command, "")
}

// checkMatches returns the finding about an injector that matches nothing, although nothing is expected; nil if
// something was refused, which may have been the match. A verification would always succeed where there is nothing to
// verify, so there it is an error, unless it is of some workloads only.
func (r *run) checkMatches(m *runInjector, result outcome.Run, reasons func() string) *finding.Finding {
	if result.Failed() {
		return nil
	}
	f := finding.Finding{
		Severity: finding.Warning,
		Code:     finding.TooFewMatches,
		Message:  "nothing is injected, because there is no workload in the input",
	}
	if len(result.Workloads) > 0 {
		f.Message = "nothing is injected, because no workload matches" + reasons()
	}
	isDecided := func(w *outcome.Workload) bool { return len(w.Outcomes) > 0 }
	isError := r.mustSelect && r.chooses == nil && !m.injector.Paused && !result.Selects(m.index) &&
		slices.ContainsFunc(result.Workloads, isDecided)
	switch {
	case isError && m.injector.IsForeign():
		f.Message += "; correct the selection, or leave it out of the config"
	case isError:
		f.Message += "; correct the selection, or set spec.expect.min to 0 if it is intended"
	case !m.injector.IsForeign():
		f.Message += "; set spec.expect.min to 1 to make this an error, or to 0 if it is intended"
	}
	if isError {
		f.Severity = finding.Error
	}
	return &f
}

// reasons counts why an injector left workloads alone, the most frequent reason first, and shows the first workload
// with that one. Labels are those of the workloads that selectors may match, as far as they were needed already.
func (r *run) reasons(
	m *runInjector, result outcome.Run, all []visited, labels map[v1alpha1.SelectorScope]labelCounts,
) string {
	var codes []finding.Code
	counts := map[finding.Code]int{}
	first := map[finding.Code]int{}
	total := 0
	for _, w := range result.Workloads {
		if len(w.Outcomes) == 0 || !w.Outcomes[m.index].IsLeftAlone() {
			continue
		}
		code := w.Outcomes[m.index].Reason
		if counts[code] == 0 {
			codes = append(codes, code)
			first[code] = w.Index
		}
		counts[code]++
		total++
	}
	slices.SortStableFunc(codes, func(a, b finding.Code) int { return cmp.Compare(counts[b], counts[a]) })
	var shown []string
	for _, code := range codes {
		shown = append(shown, fmt.Sprintf("%d %s", counts[code], code))
	}
	if total != 1 {
		shown = append(shown, r.showEach(m)...)
	}
	message := ""
	if len(shown) > 0 {
		message = " (" + strings.Join(shown, ", ") + ")"
	}
	if total == 0 || len(all) == 0 {
		return message
	}
	example := all[first[codes[0]]].item
	r.meter.Charge(meter.PerInjection + len(example.Text)*meter.PerByteRead)
	w := r.only(m).process(example).workload
	message += ": " + w.Object.String() + ": " + reasonOf(w.Outcomes[0])
	if counts[finding.SelectorMismatch] == 0 || result.Matches(m.index) > 0 { // then the selector is not misspelt
		return message
	}
	scope := m.injector.Spec.SelectorScope // the labels depend on nothing else of the injector
	if _, isKnown := labels[scope]; !isKnown {
		labels[scope] = r.countLabels(m, all)
	}
	areShown := counts[finding.SelectorMismatch] == 1 && codes[0] == finding.SelectorMismatch // in the example
	if !areShown {
		message += "; " + labels[scope].String()
	}
	if near := m.selection.NearLabels(labels[scope].labels); len(near) > 0 {
		message += "; similar labels: " + strings.Join(near, ", ")
	}
	return message
}

// showEach returns how to see the reason for each workload, if there is a way.
func (r *run) showEach(m *runInjector) []string {
	switch {
	case r.namesFlags:
		return []string{"-v shows each"}
	case m.injector.IsForeign():
		return nil
	}
	return []string{"spec.report: Info shows each"}
}

// reasonOf returns why an injector left a workload alone.
func reasonOf(o *outcome.Outcome) string {
	for _, f := range o.Findings {
		if f.Code == o.Reason {
			return f.Message
		}
	}
	return cmp.Or(o.Why, string(o.Reason))
}

// labelCounts are labels such as tier=backend, the commonest first, and the numbers of workloads that have them.
type labelCounts struct {
	labels  []string
	numbers map[string]int
}

// countLabels reads the labels of workloads that a selector may match: enough to see what it missed. An injector that
// matches none has skipped them all, so that their items are still there.
func (r *run) countLabels(m *runInjector, all []visited) labelCounts {
	const maxWorkloads, maxLabels, maxLabelBytes = 500, 500, 80
	counts := map[string]int{}
	workloads := 0
	for _, visited := range all {
		item := visited.item
		if item == nil || item.Broken != nil {
			continue
		}
		kind, isWorkload := r.kinds.Find(item.APIVersion, item.Kind)
		if !isWorkload || workloads == maxWorkloads {
			continue
		}
		workloads++
		_, object, err := item.Parse()
		if err != nil {
			continue
		}
		about := r.objectOf(item, object)
		for _, template := range kind.Templates(object) {
			candidate := selection.NewCandidate(&about, kind, object, template)
			for label := range m.selection.LabelsOf(&candidate) {
				counts[label]++
			}
		}
	}
	maps.DeleteFunc(counts, func(label string, _ int) bool { return len(label) > maxLabelBytes })
	labels := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	return labelCounts{labels[:min(len(labels), maxLabels)], counts}
}

// String lists the commonest labels with the numbers of workloads that have them.
func (c labelCounts) String() string {
	const most = 8
	if len(c.labels) == 0 {
		return "none of them has labels"
	}
	var shown []string
	for _, label := range c.labels[:min(most, len(c.labels))] {
		if c.numbers[label] > 1 {
			label += fmt.Sprintf(" (%d)", c.numbers[label])
		}
		shown = append(shown, label)
	}
	if more := len(c.labels) - most; more > 0 {
		shown = append(shown, fmt.Sprintf("and %d more", more))
	}
	return "the labels that exist are " + strings.Join(shown, ", ")
}
