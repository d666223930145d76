package engine

import (
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/outcome"
)

// missingNamespaces warns once for each injector that depends on the namespaces of workloads which have none, because the
// injector may select them wrongly.
func (r *run) missingNamespaces(result outcome.Run) []finding.Finding {
	var findings []finding.Finding
	for _, m := range r.members {
		count := 0
		var first *outcome.Workload
		for i := range result.Workloads {
			w := &result.Workloads[i]
			if len(w.Outcomes) == 0 || !w.Outcomes[m.index].LacksNamespace {
				continue
			}
			if count++; first == nil {
				first = w
			}
		}
		if count > 0 {
			findings = append(findings, missingNamespace(m, count, first.Object))
		}
	}
	return findings
}
