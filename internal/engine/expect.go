package engine

import (
	"fmt"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/report"
)

// tally is how often an injector matched, and why it did not.
type tally struct {
	matches int
	codes   []Code // in the order in which they were met
	counts  map[Code]int
	first   int // the item that was left alone first
}

func (t *tally) skip(code Code, item int) {
	if t.counts == nil {
		t.counts, t.first = map[Code]int{}, item
	}
	if t.counts[code] == 0 {
		t.codes = append(t.codes, code)
	}
	t.counts[code]++
}

// expectations holds the number of workloads that each injector matched against what it
// expects. Where nothing is expected, matching nothing is a warning, unless something was
// refused, which may have been the match.
func (r *run) expectations(tallies []tally, items []manifest.Item, so Report) []Finding {
	var said []Finding
	for i, in := range r.injectors {
		f := Finding{Severity: Error, Injector: in.Name}
		expect, matches := in.Spec.Expect, tallies[i].matches
		switch {
		case expect == nil || expect.Min == nil && expect.Max == nil:
			if matches > 0 || so.Failed() || in.Spec.Action == v1alpha1.Remove { // which is done when there is nothing left
				continue
			}
			f.Severity, f.Code = Warning, finding.TooFewMatches
			f.Message = "no workload matches" + r.reasons(i, tallies[i], items) + rightAs(in)
			if so.Counts.Workloads == 0 {
				f.Message = "there is no workload in the input" + rightAs(in)
			}
		case expect.Min != nil && matches < *expect.Min:
			f.Code = finding.TooFewMatches
			f.Message = fmt.Sprintf("%s matched, and spec.expect.min is %d%s", report.Workloads(matches), *expect.Min, r.reasons(i, tallies[i], items))
		case expect.Max != nil && matches > *expect.Max:
			f.Code = finding.TooManyMatches
			f.Message = fmt.Sprintf("%s matched, and spec.expect.max is %d", report.Workloads(matches), *expect.Max)
		default:
			continue
		}
		said = append(said, f)
	}
	return said
}

// reason is why the first of the injectors left the item alone; it stands among what else was said.
func (o *outcome) reason() string {
	for _, s := range o.skipped {
		if s.reason != "" {
			return s.reason
		}
		for _, f := range o.findings {
			if f.Code == s.code {
				return f.Message
			}
		}
	}
	return o.findings[0].Message
}

// rightAs says how to say that matching nothing is right, where the config's kind has a way.
func rightAs(in *injector.Injector) string {
	if in.Kind != "" {
		return ""
	}
	return "; say spec.expect.min: 0 where that is right"
}

// reasons counts why an injector left workloads alone, and shows one of them.
func (r *run) reasons(which int, t tally, items []manifest.Item) string {
	foreign := r.injectors[which].Kind != "" // and has no spec.report
	if len(t.codes) == 0 {
		if foreign {
			return ""
		}
		return " (spec.report: Info shows why)"
	}
	shown := make([]string, len(t.codes))
	for i, code := range t.codes {
		shown[i] = fmt.Sprintf("%d %s", t.counts[code], code)
	}
	alone := &run{injectors: r.injectors[which : which+1], selections: r.selections[which : which+1], webhooks: r.webhooks[which : which+1], around: r.around, kinds: r.kinds, transformers: r.transformers}
	example := alone.item(items[t.first])
	why := fmt.Sprintf("%s; %s: %s", strings.Join(shown, ", "), example.findings[0].Object, example.reason())
	if t.counts[finding.SelectorMismatch] > 1 {
		why += "; " + r.labelsThatExist(which, items)
	}
	if !foreign {
		why += "; spec.report: Info shows each"
	}
	return " (" + why + ")"
}
