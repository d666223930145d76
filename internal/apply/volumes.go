package apply

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
		at, choice := thingIn(list, volume.Name), pod.payload.Spec.OnConflict.Volume
		index := indexOfName(pod.entries(list), volume.Name)
		app, isOthers := pod.inApp(at, entryOrNil(pod.entries(list), index))
		switch {
		case app == nil:
			pod.wishes.addEntry(at.Path, volume.Body)
			if index < 0 {
				pod.insert(list, len(pod.entries(list)), volume.Body)
			}
		case choice == v1alpha1.ConflictKeep:
			pod.keep(at, volume.Body, func(path string, present *yaml.Node) finding.Finding { return keepVolume(pod, volume, path, present) })
		case node.Equal(app, volume.Body):
			pod.wishes.addApps(at, volume.Body)
		case choice == v1alpha1.ConflictReplace:
			pod.wishes.addEntry(at.Path, volume.Body)
			if !isOthers {
				pod.replace(list, index, volume.Body)
			}
		default:
			f := newFinding(finding.Error, finding.VolumeConflict, pod.entryAt(list, index),
				"volume %q is already there and is different; rename one of them, or set spec.onConflict.volume to Keep or Replace",
				volume.Name)
			f.Field.Current, f.Field.Proposed = node.Brief(app), node.Brief(volume.Body)
			findings = append(findings, pod.blameOthers(isOthers, f))
		}
	}
	return findings
}

// entryOrNil returns the entry at an index, or nil if that is negative.
func entryOrNil(entries []*yaml.Node, index int) *yaml.Node {
	if index < 0 {
		return nil
	}
	return node.Resolve(entries[index])
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
func keepVolume(pod *Pod, volume injector.Entry, path string, present *yaml.Node) finding.Finding {
	why, remedy := " (spec.onConflict.volume: Keep)", "make them equal, rename the injector's, or set spec.onConflict.volume to Replace"
	if pod.payload.IsForeign() { // a SidecarSet has no such field
		why, remedy = "", "make them equal, or rename the injector's"
	}
	return newKept(finding.VolumeConflict, path, present, volume.Body, "volume %q %s%s, %s; %s",
		volume.Name, stays(withoutName(present), withoutName(volume.Body)), why, mayNotWork, remedy)
}

// keepClaim reports a volumeClaimTemplate, which stays in any case.
func keepClaim(pod *Pod, volume injector.Entry, path string) {
	why := " (spec.onConflict.volume: Keep)"
	if pod.payload.IsForeign() {
		why = ""
	}
	pod.keepAnyway(newKept(finding.VolumeConflict, path, node.String("a volumeClaimTemplate"), volume.Body,
		"volume %q is a volumeClaimTemplate and stays so; the injector wants %s%s, %s; rename the injector's, or remove it to use the claim",
		volume.Name, shown(withoutName(volume.Body)), why, mayNotWork))
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
