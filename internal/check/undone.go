package check

import (
	"fmt"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/apirules"
	"pillion.dev/pillion/internal/podtemplate"
)

// Versions holds a pod template as it is in its file, the same without what stamps record, and the result. Anyone can write a
// stamp, so what is wrong in the second version and not in the first may have been put there by one.
type Versions struct{ Stood, Undone, Result podtemplate.Template }

// PodSecurity reports a level of the Pod Security Standards that the pod has in its file, and lost because of what stamps
// took out or put back.
func (v Versions) PodSecurity(asked v1alpha1.PodSecurityLevel, major, minor int) []finding.Finding {
	version := standardsOf(major, minor)
	has, had := levelOf(v.Result, asked, version), levelOf(v.Stood, asked, version)
	if !has.isBelow(had) || !levelOf(v.Undone, asked, version).isBelow(had) { // else PodSecurity reports the payload
		return nil
	}
	return []finding.Finding{{
		Code:  finding.PodSecurity,
		Field: &finding.Field{Path: v.Result.At("spec")},
		Message: fmt.Sprintf("what stamps take out and put back lets the pod fall from pod security level %s; "+
			"look at what the stamps name, or lower spec.checks.podSecurity", has.fallFrom(had)),
	}}
}

// Returned reports rules that the result breaks because of what stamps took out or put back. It leaves out mounts of volumes
// that were removed, which are reported with the injector of the volume.
func (v Versions) Returned(of Workload) []finding.Finding {
	violations := apirules.Violations(v.Result, of, v.Stood.Spec())
	if len(violations) == 0 {
		return nil
	}
	stood, undone := count(apirules.Violations(v.Stood, of, nil)), count(apirules.Violations(v.Undone, of, nil))
	var findings []finding.Finding
	for _, violation := range violations {
		if stood[violation.Key] == 0 && undone[violation.Key] > 0 && violation.Code != finding.DanglingMount {
			f := violation.Finding
			f.Severity = finding.Warning
			f.Message += "; it is so by what a stamp names, and was not in the file"
			findings = append(findings, f)
		}
	}
	return findings
}
