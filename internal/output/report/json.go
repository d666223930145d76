package report

import (
	"io"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/output/page"
	"pillion.dev/pillion/internal/pods/cost"
)

// JSON writes the page for programs. Its fields are an API, described in docs/reference/report.md: they are added and
// never renamed. Lists are never null; unknown values are left out.
func JSON(w io.Writer, p Page) error {
	total := max(p.Total, len(p.Run.Workloads))
	return page.WriteJSON(w, append(page.Document("Explanation", p.Title, p.Injectors, decision.All(), p.Run.Counts(), total),
		"changes", append([]outcome.ChangeCount{}, p.Run.Changes()...), "cost,omitempty", p.Run.Cost().String(),
		"workloads", page.EntriesOf(p.Run.Workloads, workloadJSON), "findings", page.Findings(p.general())))
}

func workloadJSON(w *outcome.Workload) page.Object {
	r := newRow(w)
	return append(page.Identity(r.Object),
		"file,omitempty", page.File(r.File), "decision", r.decision, "reason,omitempty", r.reason.Code,
		"requests,omitempty", amountJSON(r.cost.Requests), "limits,omitempty", amountJSON(r.cost.Limits),
		"outcomes", outcomesJSON(r.Outcomes), "findings", page.Findings(r.findings), "diff,omitempty", string(Diff(r.Workload)))
}

// outcomesJSON leaves out the injectors that skip the workload: there may be a hundred.
func outcomesJSON(outcomes []*outcome.Outcome) []page.Object {
	out := []page.Object{}
	for _, o := range outcomes {
		if o.Decision != decision.Skipped {
			changes := append([]decision.Change{}, o.Changes...)
			out = append(out, page.Object{"injector", o.Injector, "decision", o.Decision, "reason,omitempty", o.Reason, "changes", changes})
		}
	}
	return out
}

// amountJSON counts in CPUs and bytes: plain numbers, which jq can add.
func amountJSON(a cost.Amount) page.Object {
	if a == (cost.Amount{}) {
		return nil
	}
	return page.Object{"cpu", page.Finite(a.MilliCPU / 1000), "memory", page.Finite(a.Bytes)}
}
