// Package report writes the outcomes of a run as lines for standard error, tables, JSON, SARIF, JUnit and an HTML page.
package report

import (
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

// codes returns those of the reason and of the other findings, each once.
func (r row) codes() string {
	var codes []string
	for _, f := range append([]finding.Finding{r.reason}, r.others...) {
		codes = appendNew(codes, string(f.Code))
	}
	return strings.Join(codes, ",")
}

// injectors returns the names of the injectors that gave the reason, in order: a workload may get sidecars from several.
func (r row) injectors() string {
	var names []string
	for _, f := range r.findings {
		if f.Code == r.reason.Code {
			names = appendNew(names, f.Injector)
		}
	}
	return strings.Join(names, ",")
}

// appendNew appends a value unless it is empty or in the list already.
func appendNew(list []string, value string) []string {
	if value == "" || slices.Contains(list, value) {
		return list
	}
	return append(list, value)
}
