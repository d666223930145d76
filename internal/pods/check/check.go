// Package check finds what an injection broke in a pod template, before the cluster refuses it. What was wrong before
// the injection is not a finding. The rules of the API server are listed in testdata/api-rules.yaml.
package check

import (
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/pod"
)

// APIRules reports the rules of the API server that the pod breaks after an injection, and did not break before.
func APIRules(before, after pod.Template, of Workload) (findings []finding.Finding) {
	broken := violations(after, of, before.Spec())
	if len(broken) == 0 {
		return nil
	}
	had := count(violations(before, of, nil))
	for _, v := range broken {
		had[v.Key]--
		if had[v.Key] < 0 {
			findings = append(findings, v.Finding)
		}
	}
	return findings
}

// Versions holds a pod template as it is in its file, the same after stamps are undone, and the result. Anyone can
// write a stamp, so a stamp can cause what is wrong in the second version and not in the first.
type Versions struct{ InFile, Undone, Result pod.Template }

// APIRules reports rules that the result breaks because stamps are undone. It leaves out mounts of volumes
// that were removed, which are reported with the injector of the volume.
func (v Versions) APIRules(of Workload) (findings []finding.Finding) {
	broken := violations(v.Result, of, v.InFile.Spec())
	if len(broken) == 0 {
		return nil
	}
	inFile, undone := count(violations(v.InFile, of, nil)), count(violations(v.Undone, of, nil))
	for _, b := range broken {
		if inFile[b.Key] == 0 && undone[b.Key] > 0 && b.Code != finding.DanglingMount {
			f := b.Finding
			f.Severity = finding.Warning
			f.Message += "; this is caused by what a stamp records, and is not so in the file"
			findings = append(findings, f)
		}
	}
	return findings
}

// count returns how often each key occurs.
func count(violations []violation) map[string]int {
	counts := map[string]int{}
	for _, v := range violations {
		counts[v.Key]++
	}
	return counts
}
