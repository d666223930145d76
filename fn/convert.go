package fn

import (
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/engine"
	"pillion.dev/pillion/internal/report"
)

// The engine's types are internal; everything that turns them into the types of this package, and back, is in this file.

func engineSources(sources []Source) []engine.Source {
	all := make([]engine.Source, len(sources))
	for i, s := range sources {
		all[i] = engine.Source(s)
	}
	return all
}

func findingLine(f finding.Finding) string { return report.Line(f) }

func newReport(r engine.Report, rows []report.Row) Report {
	return Report{Findings: r.Findings, Counts: newCounts(r.Counts), Outcomes: newOutcomes(rows), engine: r}
}

func newCounts(c report.Counts) Counts {
	counts := Counts{}
	for decision, count := range map[Decision]int{
		Injected: c.Injected, Updated: c.Updated, Removed: c.Removed, HeldBack: c.HeldBack, OutOfDate: c.OutOfDate,
		Unchanged: c.Unchanged, Skipped: c.Skipped, Refused: c.Refused,
	} {
		if count > 0 {
			counts[decision] = count
		}
	}
	return counts
}

func engineCounts(c Counts) report.Counts {
	return report.Counts{
		Workloads: c.Workloads(), Injected: c[Injected], Updated: c[Updated], Removed: c[Removed], HeldBack: c[HeldBack],
		OutOfDate: c[OutOfDate], Unchanged: c[Unchanged], Skipped: c[Skipped], Refused: c[Refused],
	}
}

// decisions are those that have a code of their own.
var decisions = map[finding.Code]Decision{
	finding.Injected: Injected, finding.Updated: Updated, finding.Removed: Removed, finding.HeldBack: HeldBack,
	finding.OutOfDate: OutOfDate, finding.Unchanged: Unchanged,
}

// newOutcomes returns the outcomes of workloads: the first error of an injector, or else the finding of its decision.
func newOutcomes(rows []report.Row) []Outcome {
	var outcomes []Outcome
	for _, row := range rows {
		index := map[string]int{}
		for _, f := range row.Findings {
			o := Outcome{Object: row.Object, File: row.File, Injector: f.Injector, Reason: f.Code, Message: f.Message}
			decision, isDecision := decisions[f.Code]
			switch {
			case f.Severity == finding.Error:
				o.Decision = Refused
			case isDecision:
				o.Decision = decision
			case row.Decision == report.Skipped:
				o.Decision = Skipped
			default:
				continue // a remark
			}
			i, isKnown := index[f.Injector]
			switch {
			case !isKnown:
				index[f.Injector] = len(outcomes)
				outcomes = append(outcomes, o)
			case o.Decision == Refused && outcomes[i].Decision != Refused:
				outcomes[i] = o
			}
		}
	}
	return outcomes
}
