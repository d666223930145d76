// Package report writes the outcomes of a run as lines for standard error, tables, JSON, SARIF, JUnit, Markdown and an
// HTML page.
package report

import (
	"slices"
	"strings"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/output/page"
	"pillion.dev/pillion/internal/pods/cost"
)

// Page is what a report shows.
type Page struct {
	Title     string
	Run       outcome.Run
	Injectors []string // by name, in the order in which they ran
}

// Formats are the formats of a page.
var Formats = page.Formats[Page]{
	{Name: "table", Write: Table},
	{Name: "wide", Write: Wide},
	{Name: "json", Write: JSON},
	{Name: "html", Write: HTML},
	{Name: "markdown", Write: Markdown},
	{Name: "junit", Write: JUnit},
	{Name: "github", Write: GitHub},
}

// general returns the findings that concern no workload in particular.
func (p Page) general() []finding.Finding {
	return slices.Concat(p.Run.Config, p.Run.General, p.Run.NotRendered(false))
}

// row is a workload as reports show it.
type row struct {
	*outcome.Workload
	decision decision.Decision
	findings []finding.Finding // all of them, in order
	reason   finding.Finding   // the one behind the decision; empty if there is none
	others   []finding.Finding // the other warnings and errors, in order
	cost     cost.Pod          // of all replicas
}

func (p Page) rows() []row {
	rows := make([]row, len(p.Run.Workloads))
	for i := range rows {
		rows[i] = newRow(p.Run.Workloads[i])
	}
	return rows
}

func newRow(w *outcome.Workload) row {
	r := row{Workload: w, decision: w.Decision(), findings: w.Findings(), cost: cost.Sum(w.Cost)}
	if len(r.findings) == 0 {
		return r
	}
	reason := slices.IndexFunc(r.findings, func(f finding.Finding) bool { return f.Code == r.decision.Code() })
	if reason < 0 { // the first of the most severe findings
		reason = 0
		for i, f := range r.findings {
			if f.Severity > r.findings[reason].Severity {
				reason = i
			}
		}
	}
	r.reason = r.findings[reason]
	for i, f := range r.findings {
		if i != reason && f.Severity >= finding.Warning {
			r.others = append(r.others, f)
		}
	}
	return r
}

// ranked returns the rows by how much they matter, and otherwise in the order of the input: refusals, other errors,
// warnings, changes, the rest.
func (p Page) ranked() []row {
	var ranks [5][]row
	for _, r := range p.rows() {
		rank := 3
		switch {
		case r.decision == decision.Refused:
			rank = 0
		case r.Failed():
			rank = 1
		case r.hasProblem():
			rank = 2
		case r.decision.IsCurrent() || r.decision == decision.Skipped:
			rank = 4
		}
		ranks[rank] = append(ranks[rank], r)
	}
	return slices.Concat(ranks[:]...)
}

func (r row) hasProblem() bool {
	return slices.ContainsFunc(r.findings, func(f finding.Finding) bool { return f.Severity >= finding.Warning })
}

// injectors returns the names of the injectors that gave the reason, in order: a workload may get sidecars from
// several.
func (r row) injectors() string { return strings.Join(r.injectorsOf(r.reason.Code), ",") }

// injectorsOf returns the names of the injectors with a finding of a code, in order.
func (r row) injectorsOf(code finding.Code) []string {
	var names []string
	seen := map[string]bool{"": true}
	for _, f := range r.findings {
		if f.Code == code && !seen[f.Injector] {
			seen[f.Injector] = true
			names = append(names, f.Injector)
		}
	}
	return names
}
