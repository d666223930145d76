package report

import (
	"io"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/cost"
	"pillion.dev/pillion/internal/outcome"
	"pillion.dev/pillion/internal/page"
)

// JSON writes the page for programs. Its fields are an API, described in docs/reference/report.md: they are added and never renamed.
// Lists are never null; unknown values are left out.
func JSON(w io.Writer, p Page) error {
	total := max(p.Total, len(p.Run.Workloads))
	out := explanation{
		Document: page.NewDocument("Explanation", p.Title, p.Injectors, outcome.Decisions, p.Run.Counts(), total),
		Changes:  append([]outcome.ChangeCount{}, p.Run.Changes()...), Cost: p.Run.Cost().String(),
		Workloads: []workloadJSON{}, Findings: page.Findings(p.general()),
	}
	for _, r := range p.rows() {
		out.Workloads = append(out.Workloads, newWorkloadJSON(r))
	}
	return page.WriteJSON(w, out)
}

type explanation struct {
	page.Document
	Changes   []outcome.ChangeCount `json:"changes"`
	Cost      string                `json:"cost,omitempty"`
	Workloads []workloadJSON        `json:"workloads"`
	Findings  []page.Finding        `json:"findings"`
}

type workloadJSON struct {
	page.Object
	File     *page.File       `json:"file,omitempty"`
	Decision outcome.Decision `json:"decision"`
	Reason   finding.Code     `json:"reason,omitempty"`
	Requests *amountJSON      `json:"requests,omitempty"`
	Limits   *amountJSON      `json:"limits,omitempty"`
	Outcomes []outcomeJSON    `json:"outcomes"`
	Findings []page.Finding   `json:"findings"`
	Diff     string           `json:"diff,omitempty"`
}

func newWorkloadJSON(r row) workloadJSON {
	return workloadJSON{
		Object: page.Object(r.Object), File: (*page.File)(r.File), Decision: r.decision, Reason: r.reason.Code,
		Requests: newAmountJSON(r.cost.Requests), Limits: newAmountJSON(r.cost.Limits),
		Outcomes: outcomesJSON(r.Outcomes), Findings: page.Findings(r.findings), Diff: string(Diff(r.Workload)),
	}
}

type outcomeJSON struct {
	Injector string           `json:"injector"`
	Decision outcome.Decision `json:"decision"`
	Reason   finding.Code     `json:"reason,omitempty"`
	Changes  []outcome.Change `json:"changes"`
}

// outcomesJSON leaves out the injectors that skip the workload: there may be a hundred.
func outcomesJSON(outcomes []*outcome.Outcome) []outcomeJSON {
	out := []outcomeJSON{}
	for _, o := range outcomes {
		if o.Decision == outcome.Skipped {
			continue
		}
		out = append(out, outcomeJSON{o.Injector, o.Decision, o.Reason, append([]outcome.Change{}, o.Changes...)})
	}
	return out
}

// amountJSON counts in CPUs and bytes: plain numbers, which jq can add.
type amountJSON struct {
	CPU    float64 `json:"cpu"`
	Memory float64 `json:"memory"`
}

func newAmountJSON(a cost.Amount) *amountJSON {
	if a == (cost.Amount{}) {
		return nil
	}
	return &amountJSON{page.Finite(a.MilliCPU / 1000), page.Finite(a.Bytes)}
}
