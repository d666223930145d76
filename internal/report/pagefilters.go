package report

import (
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/escape"
	"pillion.dev/pillion/internal/outcome"
	"pillion.dev/pillion/internal/webpage"
)

func filters(rows []row, label func(outcome.Decision) string) []webpage.Filter {
	return []webpage.Filter{
		{Name: "namespace", Label: "Namespace", Values: webpage.Values(rows, namespaceOf)},
		{Name: "kind", Label: "Kind", Values: webpage.Values(rows, func(r row) string { return escape.Visible(r.workload.Object.Kind) })},
		{Name: "decision", Label: "Decision", Values: webpage.Values(rows, func(r row) string { return label(r.decision) })},
		{Name: "reason", Label: "Reason", Values: webpage.Values(rows, func(r row) string { return escape.Visible(string(r.code())) })},
		{Name: "severity", Label: "Severity", Values: severitiesOf(rows)},
	}
}

// severitiesOf returns the severities that people filter by, worst first.
func severitiesOf(rows []row) []string {
	var values []string
	for _, severity := range []finding.Severity{finding.Error, finding.Warning} {
		if slices.ContainsFunc(rows, func(r row) bool { return finding.Count(r.findings, severity) > 0 }) {
			values = append(values, severity.String())
		}
	}
	return values
}
