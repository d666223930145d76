package report

import (
	"io"
	"math"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/cost"
)

// JSON writes the page for programs. The shape is API, described in docs/report.md: fields are
// added and never renamed. Lists are never null; what is unknown is left out.
func JSON(w io.Writer, p Page) error {
	out := explanation{
		APIVersion: "pillion.dev/v1alpha1", Kind: "Explanation",
		Title: p.Title, Injectors: orEmpty(p.Injectors), Cost: p.Cost.String(),
		Counts: countDecisions(p.Rows), Findings: findingsJSON(p.Others), Workloads: make([]workloadJSON, len(p.Rows)),
	}
	for i, r := range p.Rows {
		out.Workloads[i] = workloadJSON{
			APIVersion: r.Object.APIVersion, Kind: r.Object.Kind, Namespace: r.Object.Namespace, Name: r.Object.Name,
			File: newFileJSON(r.File), Decision: r.Decision, Reason: r.Reason().Code,
			Requests: newAmountJSON(r.Cost.Requests), Limits: newAmountJSON(r.Cost.Limits),
			Findings: findingsJSON(r.Findings), Diff: string(r.Diff()),
		}
	}
	return encode(w, out)
}

type explanation struct {
	APIVersion string           `json:"apiVersion"`
	Kind       string           `json:"kind"`
	Title      string           `json:"title"`
	Injectors  []string         `json:"injectors"`
	Counts     map[Decision]int `json:"counts"`
	Cost       string           `json:"cost,omitempty"`
	Workloads  []workloadJSON   `json:"workloads"`
	Findings   []findingJSON    `json:"findings"`
}

type workloadJSON struct {
	APIVersion string        `json:"apiVersion"`
	Kind       string        `json:"kind"`
	Namespace  string        `json:"namespace,omitempty"`
	Name       string        `json:"name"`
	File       *fileJSON     `json:"file,omitempty"`
	Decision   Decision      `json:"decision"`
	Reason     finding.Code  `json:"reason,omitempty"`
	Requests   *amountJSON   `json:"requests,omitempty"`
	Limits     *amountJSON   `json:"limits,omitempty"`
	Findings   []findingJSON `json:"findings"`
	Diff       string        `json:"diff,omitempty"`
}

type fileJSON struct {
	Path   string `json:"path"`
	Index  int    `json:"index"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

func newFileJSON(f *finding.File) *fileJSON {
	if f == nil {
		return nil
	}
	return &fileJSON{f.Path, f.Index, f.Line, f.Column}
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

// finite is the nearest number that JSON can write: a stranger's numbers may add up to infinity.
func finite(n float64) float64 {
	if math.IsNaN(n) {
		return 0
	}
	return min(max(n, -math.MaxFloat64), math.MaxFloat64)
}

type findingJSON struct {
	Severity string       `json:"severity"`
	Code     finding.Code `json:"code"`
	Message  string       `json:"message"`
	Detail   string       `json:"detail,omitempty"`
	Injector string       `json:"injector,omitempty"`
	Field    string       `json:"field,omitempty"`
	Current  string       `json:"current,omitempty"`
	Proposed string       `json:"proposed,omitempty"`
	File     *fileJSON    `json:"file,omitempty"`
}

func findingsJSON(findings []finding.Finding) []findingJSON {
	out := make([]findingJSON, len(findings))
	for i, f := range findings {
		out[i] = findingJSON{Severity: f.Severity.String(), Code: f.Code, Message: f.Message, Detail: f.Detail, Injector: f.Injector, File: newFileJSON(f.File)}
		if f.Field != nil {
			out[i].Field, out[i].Current, out[i].Proposed = f.Field.Path, f.Field.Current, f.Field.Proposed
		}
	}
	return out
}

// countDecisions has every decision, those of no workload as 0.
func countDecisions(rows []Row) map[Decision]int {
	counts := make(map[Decision]int, len(Decisions))
	for _, d := range Decisions {
		counts[d] = 0
	}
	for _, r := range rows {
		counts[r.Decision]++
	}
	return counts
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
