// Package report writes the outcomes of a run as lines for standard error, tables, JSON, SARIF, JUnit and an HTML page.
package report

import (
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/cost"
	"pillion.dev/pillion/internal/outcome"
)

// Page is what a report shows.
type Page struct {
	Title     string
	Run       outcome.Run
	Injectors []string // by name, in the order in which they ran
	Total     int      // the number of workloads with those that filters leave out; 0 if there are no filters
}

// left returns how many of how many workloads are shown, or "" if all of them are.
func (p Page) left() string {
	if p.Total <= len(p.Run.Workloads) {
		return ""
	}
	return fmt.Sprintf("%d of %s", len(p.Run.Workloads), outcome.Plural(p.Total, "workload"))
}

// general returns the findings that concern no workload in particular.
func (p Page) general() []finding.Finding { return slices.Concat(p.Run.Config, p.Run.General) }

// row is a workload as reports show it.
type row struct {
	workload *outcome.Workload
	decision outcome.Decision
	findings []finding.Finding // all of them, in order
	reason   finding.Finding   // the one behind the decision; empty if there is none
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

// code returns the code of the reason, or "" if it only repeats the decision.
func (r row) code() finding.Code {
	if r.reason.Code == r.decision.Code() {
		return ""
	}
	return r.reason.Code
}

// rank orders rows by how much they matter: refusals, warnings, changes, the rest.
func (r row) rank() int {
	switch {
	case r.decision == outcome.Refused:
		return 0
	case r.hasProblem():
		return 1
	case r.decision == outcome.Unchanged || r.decision == outcome.Skipped:
		return 3
	default:
		return 2
	}
}

func (r row) hasProblem() bool {
	return slices.ContainsFunc(r.findings, func(f finding.Finding) bool { return f.Severity >= finding.Warning })
}

// isSkippedAsConfigured reports whether the workload is skipped, and nobody needs to look at it.
func (r row) isSkippedAsConfigured() bool { return r.decision == outcome.Skipped && !r.hasProblem() }

// ranked returns the rows in the order of their ranks, and otherwise of the input.
func ranked(rows []row) []row {
	var ranks [4][]row
	for _, r := range rows {
		ranks[r.rank()] = append(ranks[r.rank()], r)
	}
	return slices.Concat(ranks[:]...)
}

// injectors returns the names of the injectors that gave the reason, in order: a workload may get sidecars from several.
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
