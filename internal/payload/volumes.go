package payload

import (
	"slices"

	"go.yaml.in/yaml/v3"

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
			findings = append(findings, claimConflict(pod, volume)...)
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
			keepVolume(pod, volume, pod.entryAt(list, at), present[at])
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
func claimConflict(pod *Pod, volume injector.Entry) []finding.Finding {
	const path = "spec.volumeClaimTemplates"
	if pod.payload.Spec.OnConflict.Volume == v1alpha1.ConflictKeep {
		keepClaim(pod, volume, path)
		return nil
	}
	return []finding.Finding{newFinding(finding.Error, finding.VolumeConflict, path,
		"a volumeClaimTemplate is already called %q; rename the injector's volume, or set spec.onConflict.volume to Keep to use the claim",
		volume.Name)}
}

// keepVolume reports a volume of the pod that stays.
func keepVolume(pod *Pod, volume injector.Entry, path string, present *yaml.Node) {
	why, remedy := " (spec.onConflict.volume: Keep)", "make them equal, rename the injector's, or set spec.onConflict.volume to Replace"
	if pod.payload.IsForeign() { // a SidecarSet has no such field
		why, remedy = "", "make them equal, or rename the injector's"
	}
	pod.keep(finding.VolumeConflict, path, present, volume.Body, "volume %q %s%s, %s; %s",
		volume.Name, stays(withoutName(present), withoutName(volume.Body)), why, mayNotWork, remedy)
}

// keepClaim reports a volumeClaimTemplate, which stays in any case.
func keepClaim(pod *Pod, volume injector.Entry, path string) {
	why := " (spec.onConflict.volume: Keep)"
	if pod.payload.IsForeign() {
		why = ""
	}
	pod.keep(finding.VolumeConflict, path, node.String("a volumeClaimTemplate"), volume.Body,
		"volume %q is a volumeClaimTemplate and stays so; the injector wants %s%s, %s; rename the injector's, or remove it to use the claim",
		volume.Name, shown(withoutName(volume.Body)), why, mayNotWork)
}

// withoutName returns an entry without its name, which messages have already.
func withoutName(entry *yaml.Node) *yaml.Node {
	if entry == nil || entry.Kind != yaml.MappingNode {
		return entry
	}
	entry = node.Clone(entry)
	node.Delete(entry, "name")
	return entry
}
