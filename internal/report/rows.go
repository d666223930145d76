// Package report renders what became of a run: as lines on standard error, tables, JSON, SARIF and an HTML page.
package report

import (
	"cmp"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/cost"
	"pillion.dev/pillion/internal/outcome"
)

// Page is what a report shows.
type Page struct {
	Title     string
	Run       outcome.Run
	Injectors []string // by name, in the order in which they ran
}

// general are the findings about no workload in particular.
func (p Page) general() []finding.Finding { return slices.Concat(p.Run.Config, p.Run.General) }

// row is a workload as reports show it.
type row struct {
	workload *outcome.Workload
	decision outcome.Decision
	findings []finding.Finding // all of them, in order
	reason   finding.Finding   // the one behind the decision; empty where there is none
	others   []finding.Finding // the other warnings and errors, in order
	cost     cost.Pod          // of all replicas
}

func (p Page) rows() []row {
	rows := make([]row, len(p.Run.Workloads))
	for i := range rows {
		rows[i] = newRow(&p.Run.Workloads[i])
	}
	return rows
}

func newRow(w *outcome.Workload) row {
	r := row{workload: w, decision: w.Decision(), findings: w.Findings(), cost: cost.Sum(w.Cost)}
	if len(r.findings) == 0 {
		return r
	}
	reason := slices.IndexFunc(r.findings, func(f finding.Finding) bool { return f.Code == r.decision.Code() })
	if reason < 0 {
		reason = indexOfWorst(r.findings)
	}
	r.reason = r.findings[reason]
	for i, f := range r.findings {
		if i != reason && f.Severity >= finding.Warning {
			r.others = append(r.others, f)
		}
	}
	return r
}

// indexOfWorst is the index of the most severe finding; of several, the first.
func indexOfWorst(findings []finding.Finding) int {
	worst := slices.MaxFunc(findings, func(a, b finding.Finding) int { return cmp.Compare(a.Severity, b.Severity) })
	return slices.IndexFunc(findings, func(f finding.Finding) bool { return f.Severity == worst.Severity })
}

// codes are those of the reason and of the other findings, each once.
func (r row) codes() []finding.Code {
	var codes []finding.Code
	for _, f := range append([]finding.Finding{r.reason}, r.others...) {
		if f.Code != "" && !slices.Contains(codes, f.Code) {
			codes = append(codes, f.Code)
		}
	}
	return codes
}

// injectors are the names behind the decision, in order. A workload may get sidecars from several.
func (r row) injectors() []string {
	var names []string
	for _, f := range r.findings {
		if f.Code == r.reason.Code && f.Injector != "" && !slices.Contains(names, f.Injector) {
			names = append(names, f.Injector)
		}
	}
	return names
}
