package engine

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/rename"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

// findRenamed returns the references of a pod template that kustomize renamed: those in what the run's injectors added, as far as
// their names or the fingerprints in their stamps show it, and then others with the same names, which sidecars may take over.
func (w *workload) findRenamed(t podtemplate.Template) []renamed {
	stamped := w.stampedMembers(t)
	if len(stamped) == 0 {
		return nil
	}
	references := referencesOf(t)
	affixes := rename.AffixesOf(w.result.Object.Name)
	mayBeRenamed := slices.ContainsFunc(references.all, func(r podtemplate.Reference) bool { return mayHave(affixes, r) })
	var stamps map[string]*stamp.Stamp // these two are read once, and only if a name may have been changed
	var inside map[stamp.Thing][]podtemplate.Reference
	var found []renamed
	for _, m := range stamped {
		names := w.payloadNames(m, t)
		byName := w.compareNames(m, references, names)
		if len(byName) == 0 && !mayBeRenamed {
			continue
		}
		if stamps == nil {
			stamps, _ = stamp.Read(t.Node)
			inside = referencesInside(references.all)
		}
		if s := stamps[m.key]; s != nil {
			rest := names.without(mayBeStamped(s, inside), byName)
			found = append(found, stampedOnly(t, s, byName)...)
			byFingerprint := w.compareFingerprints(t, s, withAffixesAround(affixes, byName), byName, rest, references)
			names.setWhoKeeps(m, byFingerprint)
			found = append(found, byFingerprint...)
		}
	}
	return withSameNames(found, references.all)
}

// referenceSet is the references of a pod template.
type referenceSet struct {
	all     []podtemplate.Reference
	objects map[objectKey]bool // what they refer to
}

func referencesOf(t podtemplate.Template) referenceSet {
	r := referenceSet{all: podtemplate.References(t.Spec()), objects: map[objectKey]bool{}}
	for _, each := range r.all {
		r.objects[objectKey{each.Kind, each.Node.Value}] = true
	}
	return r
}

// has reports whether the pod template refers to an object. kustomize renames an object for all references to it, so a pod template
// that has its old name and another one refers to two objects.
func (r referenceSet) has(kind, name string) bool { return r.objects[objectKey{kind, name}] }

// stampedMembers returns the injectors of the run that a pod template has a stamp of.
func (w *workload) stampedMembers(t podtemplate.Template) []*member {
	annotations := node.Get(t.Node, "metadata", "annotations")
	if !stamp.AnyKey(annotations) {
		return nil
	}
	annotation := node.Values(annotations)
	var stamped []*member
	for _, m := range w.run.members {
		if annotation.Get(m.key) != nil {
			stamped = append(stamped, m)
		}
	}
	return stamped
}

// withSameNames adds the references that have the same names as those that were found.
func withSameNames(found []renamed, references []podtemplate.Reference) []renamed {
	if len(found) == 0 {
		return nil
	}
	names, isFound := map[objectKey]string{}, map[*yaml.Node]bool{}
	for _, r := range found {
		names[r.object()], isFound[r.Node] = r.name, true
	}
	for _, r := range references {
		if other := (renamed{Reference: r}); !isFound[r.Node] && names[other.object()] != "" {
			other.name = names[other.object()]
			found = append(found, other)
		}
	}
	return found
}
