package report

import (
	"maps"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/outcome"
)

// filter is a column by which the rows can be filtered, with its values.
type filter struct {
	Name, Label string
	Values      []string
}

func filters(rows []row, label func(outcome.Decision) string) []filter {
	return []filter{
		{"namespace", "Namespace", valuesOf(rows, namespaceOf)},
		{"kind", "Kind", valuesOf(rows, func(r row) string { return visible(r.workload.Object.Kind) })},
		{"decision", "Decision", valuesOf(rows, func(r row) string { return label(r.decision) })},
		{"reason", "Reason", valuesOf(rows, func(r row) string { return visible(string(r.code())) })},
		{"severity", "Severity", severitiesOf(rows)},
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

func valuesOf(rows []row, value func(row) string) []string {
	values := map[string]bool{}
	for _, r := range rows {
		values[value(r)] = true
	}
	delete(values, "")
	return slices.Sorted(maps.Keys(values))
}
