package report

import (
	"io"
	"math"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/cost"
	"pillion.dev/pillion/internal/jsontext"
	"pillion.dev/pillion/internal/outcome"
)

// JSON writes the page for programs. Its fields are an API, described in docs/reference/report.md: they are added and never renamed.
// Lists are never null; unknown values are left out.
func JSON(w io.Writer, p Page) error {
	out := explanation{
		APIVersion: "pillion.dev/v1alpha1", Kind: "Explanation",
		Title: p.Title, Injectors: append([]string{}, p.Injectors...), Cost: p.Run.Cost().String(),
		Counts: map[outcome.Decision]int{}, Total: max(p.Total, len(p.Run.Workloads)), Changes: []changeCountJSON{},
		Findings: jsontext.Findings(p.general()), Workloads: []workloadJSON{},
	}
	for _, c := range p.Run.Changes() {
		out.Changes = append(out.Changes, changeCountJSON(c))
	}
	counts := p.Run.Counts()
	for _, d := range outcome.Decisions {
		out.Counts[d] = counts[d]
	}
	for _, r := range p.rows() {
		out.Workloads = append(out.Workloads, newWorkloadJSON(r))
	}
	return jsontext.Write(w, out)
}

type explanation struct {
	APIVersion string                   `json:"apiVersion"`
	Kind       string                   `json:"kind"`
	Title      string                   `json:"title"`
	Injectors  []string                 `json:"injectors"`
	Counts     map[outcome.Decision]int `json:"counts"`
	Total      int                      `json:"total"`
	Changes    []changeCountJSON        `json:"changes"`
	Cost       string                   `json:"cost,omitempty"`
	Workloads  []workloadJSON           `json:"workloads"`
	Findings   []jsontext.Finding       `json:"findings"`
}

type changeCountJSON struct {
	Change    string `json:"change"`
	Workloads int    `json:"workloads"`
}

type workloadJSON struct {
	APIVersion string             `json:"apiVersion"`
	Kind       string             `json:"kind"`
	Namespace  string             `json:"namespace,omitempty"`
	Name       string             `json:"name"`
	File       *jsontext.File     `json:"file,omitempty"`
	Decision   outcome.Decision   `json:"decision"`
	Reason     finding.Code       `json:"reason,omitempty"`
	Requests   *amountJSON        `json:"requests,omitempty"`
	Limits     *amountJSON        `json:"limits,omitempty"`
	Outcomes   []outcomeJSON      `json:"outcomes"`
	Findings   []jsontext.Finding `json:"findings"`
	Diff       string             `json:"diff,omitempty"`
}

func newWorkloadJSON(r row) workloadJSON {
	o := r.workload.Object
	return workloadJSON{
		APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name,
		File: (*jsontext.File)(r.workload.File), Decision: r.decision, Reason: r.reason.Code,
		Requests: newAmountJSON(r.cost.Requests), Limits: newAmountJSON(r.cost.Limits),
		Outcomes: outcomesJSON(r.workload.Outcomes), Findings: jsontext.Findings(r.findings), Diff: string(Diff(r.workload)),
	}
}

type outcomeJSON struct {
	Injector string           `json:"injector"`
	Decision outcome.Decision `json:"decision"`
	Reason   finding.Code     `json:"reason,omitempty"`
	Changes  []changeJSON     `json:"changes"`
}

type changeJSON struct {
	Verb     outcome.Verb `json:"verb"`
	Template string       `json:"template,omitempty"`
	Path     string       `json:"path"`
	Key      string       `json:"key"`
	Field    string       `json:"field,omitempty"`
	Others   string       `json:"others,omitempty"`
	Old      string       `json:"old,omitempty"`
	New      string       `json:"new,omitempty"`
}

// outcomesJSON leaves out the injectors that skip the workload: there may be a hundred.
func outcomesJSON(outcomes []*outcome.Outcome) []outcomeJSON {
	out := []outcomeJSON{}
	for _, o := range outcomes {
		if o.Decision == outcome.Skipped {
			continue
		}
		changes := make([]changeJSON, len(o.Changes))
		for i, c := range o.Changes {
			changes[i] = changeJSON(c)
		}
		out = append(out, outcomeJSON{o.Injector, o.Decision, o.Reason, changes})
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
	return &amountJSON{finite(a.MilliCPU / 1000), finite(a.Bytes)}
}

// finite returns the nearest number that JSON can write: the numbers of a manifest may add up to infinity.
func finite(n float64) float64 {
	if math.IsNaN(n) {
		return 0
	}
	return min(max(n, -math.MaxFloat64), math.MaxFloat64)
}
