package report

import (
	"bytes"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
)

// Of returns a run as programs get it.
func Of(run outcome.Run) decision.Report {
	var summary bytes.Buffer
	_ = RunText(&summary, run, run.Level, finding.Finding.String) // writing into memory does not fail
	public := decision.Report{Findings: run.Findings(), Counts: run.Counts(), Summary: summary.String()}
	for _, w := range run.Workloads {
		for _, o := range w.Outcomes {
			public.Outcomes = append(public.Outcomes, decision.Outcome{
				Object:   w.Object,
				File:     w.File,
				Injector: o.Injector,
				Decision: o.Decision,
				Reason:   o.Reason,
				Changes:  o.Changes,
			})
		}
	}
	return public
}
