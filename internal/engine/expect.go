package engine

import (
	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/outcome"
)

// tally is how many workloads an injector matched, and why it did not match others.
type tally struct {
	matches int
	codes   []finding.Code // in the order of the input
	counts  map[finding.Code]int
	first   int // the index of the first item that it left alone
}

func (m *member) tally(workloads []outcome.Workload) tally {
	t := tally{counts: map[finding.Code]int{}}
	for i := range workloads {
		w := &workloads[i]
		if len(w.Outcomes) == 0 {
			continue
		}
		o := &w.Outcomes[m.index]
		if o.Matched {
			t.matches++
		}
		isRemoved := o.Decision == outcome.Removed && o.Reason != finding.Removed
		if o.Reason == "" || o.Decision != outcome.Skipped && !isRemoved {
			continue
		}
		if len(t.codes) == 0 {
			t.first = w.Index
		}
		if t.counts[o.Reason] == 0 {
			t.codes = append(t.codes, o.Reason)
		}
		t.counts[o.Reason]++
	}
	return t
}

// checkExpectations compares the number of workloads that each injector matched with what it expects. Where nothing is
// expected, matching nothing is a warning, unless something was refused, which may have been the match.
func (r *run) checkExpectations(result outcome.Run, items []manifest.Item) []finding.Finding {
	var findings []finding.Finding
	failed := result.Failed()
	for _, m := range r.members {
		expect, t := m.injector.Spec.Expect, m.tally(result.Workloads)
		f := finding.Finding{Severity: finding.Error, Injector: m.injector.Name}
		switch {
		case expect == nil || expect.Min == nil && expect.Max == nil:
			if t.matches > 0 || failed || m.injector.Spec.Action == v1alpha1.Remove { // which is done when nothing is left
				continue
			}
			f.Severity, f.Code, f.Message = finding.Warning, finding.TooFewMatches, noMatch(m, r.reasons(m, t, items))
			if len(result.Workloads) == 0 {
				f.Message = noWorkload(m)
			}
		case expect.Min != nil && t.matches < *expect.Min:
			f.Code, f.Message = finding.TooFewMatches, matched(t.matches, "min", *expect.Min)+r.reasons(m, t, items)
		case expect.Max != nil && t.matches > *expect.Max:
			f.Code, f.Message = finding.TooManyMatches, matched(t.matches, "max", *expect.Max)
		default:
			continue
		}
		findings = append(findings, f)
	}
	return findings
}

// reasons counts why an injector left workloads alone, and shows one of them.
func (r *run) reasons(m *member, t tally, items []manifest.Item) string {
	if len(t.codes) == 0 {
		return noReasons(m)
	}
	example := r.only(m).process(items[t.first], t.first).workload
	labels := ""
	if t.counts[finding.SelectorMismatch] > 1 {
		labels = r.existingLabels(m, items)
	}
	return reasonsMessage(m, t.codes, t.counts, example, labels)
}
