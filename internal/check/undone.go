package check

import (
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/podtemplate"
)

// Versions are a pod template as it stands in its file, the same without what stamps name, and what becomes of it.
// Stamps are not to be trusted: what is wrong in the second and not in the first was not there before.
type Versions struct{ Stood, Undone, Result podtemplate.Template }

// PodSecurity finds a level of the Pod Security Standards that the file has, and that the pod lost by what was taken
// out or put back.
func (v Versions) PodSecurity(asked v1alpha1.PodSecurityLevel, major, minor int) []finding.Finding {
	version := versionOf(major, minor)
	has, broken := levelOf(v.Result, asked, version)
	had, _ := levelOf(v.Stood, asked, version)
	if slices.Index(levels, has) >= slices.Index(levels, had) {
		return nil
	}
	if undone, _ := levelOf(v.Undone, asked, version); slices.Index(levels, undone) >= slices.Index(levels, had) {
		return nil // an injector's payload is to blame, which is checked by itself
	}
	return []finding.Finding{{
		Code:  finding.PodSecurity,
		Field: &finding.Field{Path: v.Result.At("spec")},
		Message: fmt.Sprintf("what stamps take out and put back lets the pod fall from pod security level %s to %s: %s; "+
			"look at what the stamps name, or lower spec.checks.podSecurity",
			had, has, strings.Join(reasonsFor(had, broken), ", ")),
	}}
}

// Returned finds what was not wrong in the file, and is after something was taken out or put back. A volume that goes is
// not looked for: that is reported with the injector that it goes with.
func (v Versions) Returned(of Workload) []finding.Finding {
	wrong := look(v.Result, of, v.Stood.Spec())
	if len(wrong) == 0 {
		return nil
	}
	stood, undone := count(look(v.Stood, of, nil)), count(look(v.Undone, of, nil))
	var made []finding.Finding
	for _, p := range wrong {
		if stood[p.key] == 0 && undone[p.key] > 0 && p.Code != finding.DanglingMount {
			p.Severity = finding.Warning
			p.Message += "; it is so by what a stamp names, and was not in the file"
			made = append(made, p.Finding)
		}
	}
	return made
}

func count(problems []problem) map[string]int {
	all := map[string]int{}
	for _, p := range problems {
		all[p.key]++
	}
	return all
}
