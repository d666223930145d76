package admission

import (
	"fmt"
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/yaml/node"
)

// findVolumes returns an error finding for each conflict whose outcome depends on whether a volume in the pod is the app's: a policy that
// runs again could not tell.
func findVolumes(injectors []*injector.Injector) []finding.Finding {
	var findings []finding.Finding
	volumes := replacedNames{}
	for _, in := range injectors {
		l := limits{in: in}
		for _, volume := range in.Volumes {
			volumes.add(&l, volume, string(in.Spec.OnConflict.Volume))
		}
		findings = append(findings, l.findings...)
	}
	return findings
}

// replacedNames finds volumes that two injectors declare in different ways, and that one of them replaces or the later one keeps, by their
// names. Pillion refuses a pod that gets both. A policy sees one of them, and cannot tell whether it is the app's.
type replacedNames map[string]struct {
	policy string
	body   *node.Node
}

func (r replacedNames) add(l *limits, volume injector.Entry, policy string) {
	known, isKnown := r[volume.Name]
	isReplaced := policy == string(v1alpha1.ConflictReplace) || known.policy == string(v1alpha1.ConflictReplace)
	isEqual := isKnown && node.Equal(known.body, volume.Body)
	l.addIf(isKnown && isReplaced && (known.policy != policy || !isEqual), "onConflict.volume",
		"another injector declares the volume %q as well, in another way or with another onConflict.volume, and one of them replaces it; "+
			"give them different names", volume.Name)
	l.addIf(isKnown && !isReplaced && !isEqual && policy == string(v1alpha1.ConflictKeep), "onConflict.volume",
		"another injector declares the volume %q in another way, and a policy cannot tell it from one of the app, which is kept; "+
			"give them different names, or use Error", volume.Name)
	known.policy, known.body = policy, volume.Body
	r[volume.Name] = known
}

// findDefaultContainers returns an error finding for each annotation that names the default container, if another injector may want to set
// it because of its sidecars: Pillion refuses a pod for which they want different ones.
func findDefaultContainers(injectors []*injector.Injector) []finding.Finding {
	var findings []finding.Finding
	for _, in := range injectors {
		l := limits{in: in}
		hasSidecars := func(other *injector.Injector) bool { return other != in && len(other.Containers) > 0 }
		for i, patch := range in.PodMetadata {
			for key, value := range node.Fields(patch.Annotations) {
				l.addIf(namesDefaultContainer(key) && !node.IsNull(value) && slices.ContainsFunc(injectors, hasSidecars),
					fmt.Sprintf("patchPodMetadata[%d].annotations[%q]", i, key),
					"another injector has containers and sets the annotation for them if the pod does not, and policies do not know who set it; "+
						"remove it, or set it in the injector with the containers only")
			}
		}
		findings = append(findings, l.findings...)
	}
	return findings
}
