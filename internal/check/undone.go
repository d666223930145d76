package check

import (
	"fmt"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/apirules"
	"pillion.dev/pillion/internal/podtemplate"
)

// Versions holds a pod template as it is in its file, the same after stamps are undone, and the result. Anyone can write a
// stamp, so a stamp can cause what is wrong in the second version and not in the first.
type Versions struct{ InFile, Undone, Result podtemplate.Template }

// PodSecurity reports a level of the Pod Security Standards that the pod has in its file, and loses because stamps are
// undone.
func (v Versions) PodSecurity(upTo v1alpha1.PodSecurityLevel, major, minor int) []finding.Finding {
	version := standardsOf(major, minor)
	has, had := levelOf(v.Result, upTo, version), levelOf(v.InFile, upTo, version)
	if !has.isBelow(had) || !levelOf(v.Undone, upTo, version).isBelow(had) { // else PodSecurity reports the payload
		return nil
	}
	return []finding.Finding{{
		Code:  finding.PodSecurity,
		Field: &finding.Field{Path: v.Result.At("spec")},
		Message: fmt.Sprintf("undoing stamps lowers the pod security level of the pod from %s; "+
			"correct what the stamps record, or lower spec.checks.podSecurity", has.fallFrom(had)),
	}}
}

// APIRules reports rules that the result breaks because stamps are undone. It leaves out mounts of volumes
// that were removed, which are reported with the injector of the volume.
func (v Versions) APIRules(of Workload) []finding.Finding {
	violations := apirules.Violations(v.Result, of, v.InFile.Spec())
	if len(violations) == 0 {
		return nil
	}
	inFile, undone := count(apirules.Violations(v.InFile, of, nil)), count(apirules.Violations(v.Undone, of, nil))
	var findings []finding.Finding
	for _, violation := range violations {
		if inFile[violation.Key] == 0 && undone[violation.Key] > 0 && violation.Code != finding.DanglingMount {
			f := violation.Finding
			f.Severity = finding.Warning
			f.Message += "; this is caused by what a stamp records, and is not so in the file"
			findings = append(findings, f)
		}
	}
	return findings
}
