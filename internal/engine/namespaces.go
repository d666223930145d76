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
		var without []finding.Object
		for i := range result.Workloads {
			w := &result.Workloads[i]
			if len(w.Outcomes) > 0 && w.Outcomes[m.index].LacksNamespace {
				without = append(without, w.Object)
			}
		}
		if len(without) > 0 {
			findings = append(findings, missingNamespace(m, without))
		}
	}
	return findings
}
