package payload

import (
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/yaml/node"
)

// addVolumes adds the payload's volumes. An equal volume of the same name is used as it is.
func addVolumes(pod *Pod) []finding.Finding {
	const list = "volumes"
	var findings []finding.Finding
	for _, volume := range pod.payload.Volumes {
		if slices.Contains(pod.ClaimTemplates, volume.Name) {
			findings = append(findings, claimConflict(pod.payload, volume.Name)...)
			continue
		}
		present := pod.entries(list)
		at := indexOfName(present, volume.Name)
		switch {
		case at < 0:
			pod.insert(list, len(present), volume.Body)
		case node.Equal(present[at], volume.Body):
		case pod.payload.Spec.OnConflict.Volume == v1alpha1.ConflictReplace:
			pod.replace(list, at, volume.Body)
		case pod.payload.Spec.OnConflict.Volume == v1alpha1.ConflictKeep:
			findings = append(findings, newFinding(finding.Info, finding.VolumeConflict, pod.entryAt(list, at),
				"volume %q differs from the injector's and stays as it is (spec.onConflict.volume: Keep)", volume.Name))
		default:
			f := newFinding(finding.Error, finding.VolumeConflict, pod.entryAt(list, at),
				"volume %q is already there and is different; rename one of them, or set spec.onConflict.volume to Keep or Replace",
				volume.Name)
			f.Field.Current, f.Field.Proposed = node.Brief(present[at]), node.Brief(volume.Body)
			findings = append(findings, f)
		}
	}
	return findings
}

// claimConflict reports a volume with the name of a volumeClaimTemplate, which would silently overrule it.
func claimConflict(in *injector.Injector, name string) []finding.Finding {
	const path = "spec.volumeClaimTemplates"
	if in.Spec.OnConflict.Volume == v1alpha1.ConflictKeep {
		return []finding.Finding{newFinding(finding.Info, finding.VolumeConflict, path,
			"the volumeClaimTemplate %q is used instead of the injector's volume (spec.onConflict.volume: Keep)", name)}
	}
	return []finding.Finding{newFinding(finding.Error, finding.VolumeConflict, path,
		"a volumeClaimTemplate is already called %q; rename the injector's volume, or set spec.onConflict.volume to Keep to use the claim",
		name)}
}
