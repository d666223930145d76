package fn

import (
	"fmt"
	"strings"

	"pillion.dev/pillion/internal/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/report"
)

// expectations holds the number of workloads that each injector matched against what it
// expects. Where nothing is expected, matching nothing is a warning, unless something was
// refused, which may have been the match.
func expectations(injectors []*injector.Injector, matches []int, r Report) []Finding {
	var said []Finding
	for i, in := range injectors {
		f := Finding{Severity: Error, Injector: in.Name}
		expect := in.Spec.Expect
		switch {
		case expect == nil || expect.Min == nil && expect.Max == nil:
			if matches[i] > 0 || r.Failed() {
				continue
			}
			f.Severity, f.Code, f.Message = Warning, finding.TooFewMatches, whyNone(in.Name, r)
		case expect.Min != nil && matches[i] < *expect.Min:
			f.Code = finding.TooFewMatches
			f.Message = fmt.Sprintf("%s matched, and spec.expect.min is %d%s", report.Workloads(matches[i]), *expect.Min, reasons(in.Name, r))
		case expect.Max != nil && matches[i] > *expect.Max:
			f.Code = finding.TooManyMatches
			f.Message = fmt.Sprintf("%s matched, and spec.expect.max is %d", report.Workloads(matches[i]), *expect.Max)
		default:
			continue
		}
		said = append(said, f)
	}
	return said
}

func whyNone(name string, r Report) string {
	if r.Counts.Workloads == 0 {
		return "there is no workload in the input; say spec.expect.min: 0 where that is right"
	}
	return "no workload matches" + reasons(name, r) + "; say spec.expect.min: 0 where that is right"
}

// reasons counts why an injector left workloads alone, and shows one of them.
func reasons(name string, r Report) string {
	counts := map[Code]int{}
	var codes []string // in the order in which they were met
	example := ""
	for _, f := range r.Findings {
		if f.Injector != name && f.Injector != "" || f.Object == nil || f.Code == finding.Injected || f.Code == finding.Unchanged {
			continue
		}
		if counts[f.Code] == 0 {
			codes = append(codes, string(f.Code))
		}
		counts[f.Code]++
		if example == "" {
			example = f.Object.String() + ": " + f.Message
		}
	}
	if example == "" {
		return ""
	}
	for i, code := range codes {
		codes[i] = fmt.Sprintf("%d %s", counts[Code(code)], code)
	}
	return fmt.Sprintf(" (%s; %s; spec.report: Info shows each)", strings.Join(codes, ", "), example)
}
