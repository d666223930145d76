package engine

import (
	"cmp"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/meter"
	"pillion.dev/pillion/internal/outcome"
)

// checkExpectations compares the number of workloads that have the sidecar of each injector after the run with what it expects. If
// nothing is expected, matching nothing is a warning, unless something was refused, which may have been the match. An injector
// that removes expects nothing: it is done when nothing is left.
func (r *run) checkExpectations(result outcome.Run, items []manifest.Item) []finding.Finding {
	var findings []finding.Finding
	failed := result.Failed()
	for _, m := range r.members {
		if m.removes() || r.meter.Exceeded() {
			continue
		}
		expect := m.injector.Spec.Expect
		have, refused := result.Sidecars(m.index)
		if !result.KeepGoing {
			have += refused // nothing is written anyway, and without the errors they would have it
		}
		f := finding.Finding{Severity: finding.Error, Injector: m.injector.Name}
		switch {
		case expect == nil || expect.Min == nil && expect.Max == nil:
			if failed || result.Matches(m.index) > 0 {
				continue
			}
			f.Severity, f.Code, f.Message = finding.Warning, finding.TooFewMatches, noWorkload(m)
			if len(result.Workloads) > 0 {
				f.Message = noMatch(m, r.reasons(m, result.Workloads, items))
			}
		case expect.Min != nil && have < *expect.Min:
			f.Code, f.Message = finding.TooFewMatches, tooFew(have, *expect.Min, r.reasons(m, result.Workloads, items))
		case expect.Max != nil && have > *expect.Max:
			f.Code, f.Message = finding.TooManyMatches, tooMany(have, *expect.Max)
		default:
			continue
		}
		findings = append(findings, f)
	}
	return findings
}

// reasons counts why an injector left workloads alone, the most frequent reason first, and shows the first workload with that one.
func (r *run) reasons(m *member, workloads []outcome.Workload, items []manifest.Item) string {
	var codes []finding.Code
	counts := map[finding.Code]int{}
	first := map[finding.Code]int{}
	for i := range workloads {
		w := &workloads[i]
		if len(w.Outcomes) == 0 || !w.Outcomes[m.index].IsLeftAlone() {
			continue
		}
		code := w.Outcomes[m.index].Reason
		if counts[code] == 0 {
			codes = append(codes, code)
			first[code] = w.Index
		}
		counts[code]++
	}
	if len(codes) == 0 {
		return noReasons(m)
	}
	slices.SortStableFunc(codes, func(a, b finding.Code) int { return cmp.Compare(counts[b], counts[a]) })
	example := first[codes[0]]
	r.meter.Charge(meter.PerInjection + len(items[example].Text)*meter.PerByteRead)
	message := reasonsMessage(m, codes, counts, *r.only(m).process(items[example], example).workload)
	if mismatches := counts[finding.SelectorMismatch]; mismatches > 0 {
		existing := r.existingLabels(m, items)
		if mismatches > 1 {
			message += "; " + labelsMessage(existing.labels, existing.numbers)
		}
		if near := m.selection.NearLabels(existing.labels); len(near) > 0 {
			message += "; similar labels: " + strings.Join(near, ", ")
		}
	}
	return message
}
