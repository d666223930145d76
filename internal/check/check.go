// Package check finds what an injection broke in a pod template, before the cluster refuses it. What was
// wrong before the injection is not a finding.
package check

import (
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/apirules"
	"pillion.dev/pillion/internal/podtemplate"
)

// Workload holds what the rules use of a pod template's workload.
type Workload = apirules.Workload

// Valid holds containers of payloads that break no rule by themselves.
type Valid = apirules.Valid

// APIRules reports the rules of the API server that the pod breaks after an injection, and did not break before.
func APIRules(before, after podtemplate.Template, of Workload) []finding.Finding {
	violations := apirules.Violations(after, of, before.Spec())
	if len(violations) == 0 {
		return nil
	}
	had := count(apirules.Violations(before, of, nil))
	var findings []finding.Finding
	for _, v := range violations {
		if had[v.Key] > 0 {
			had[v.Key]--
			continue
		}
		findings = append(findings, v.Finding)
	}
	return findings
}

// count returns how often each key occurs.
func count(violations []apirules.Violation) map[string]int {
	counts := map[string]int{}
	for _, v := range violations {
		counts[v.Key]++
	}
	return counts
}
