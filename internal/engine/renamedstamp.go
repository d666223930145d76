package engine

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/rename"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

// withAffixesAround adds what kustomize put around the names that were found to the affixes, up to a number of combinations that can
// be tried.
func withAffixesAround(affixes []rename.Affixes, found []renamed) []rename.Affixes {
	all := slices.Clip(affixes)
	most := len(all) + 4
	for _, r := range found {
		if around := rename.AffixesAround(r.name, r.Node.Value); len(all) < most && !slices.Contains(all, around) {
			all = append(all, around)
		}
	}
	return all
}

// mayHave reports whether the name of a reference has a hash or some of the affixes.
func mayHave(affixes []rename.Affixes, r podtemplate.Reference) bool {
	return slices.ContainsFunc(affixes, func(a rename.Affixes) bool { return a.Remove(r.Node.Value) != r.Node.Value })
}

// stampedOnly returns those of the references that are part of something that a stamp names.
func stampedOnly(t podtemplate.Template, s *stamp.Stamp, all []renamed) []renamed {
	return partOf(t, nil, all, func(at stamp.Thing, _ *yaml.Node) bool { return s.Adds(at.Path, at.Key) })
}

// compareFingerprints returns the references that have affixes or a hash, and are part of something whose fingerprint shows that
// they did not have them when it was added. It finds names that the config does not have any more, and names that a sidecar took
// over from the app. The known ones are found already.
func (w *workload) compareFingerprints(
	t podtemplate.Template, s *stamp.Stamp, affixes []rename.Affixes, known []renamed, rest []podtemplate.Reference,
	references referenceSet,
) []renamed {
	var found []renamed
	for _, a := range affixes {
		var tried []renamed
		for _, r := range rest {
			if name := a.Remove(r.Node.Value); name != r.Node.Value && w.mayBeRenamed(r, name) && !references.has(r.Kind, name) {
				tried = append(tried, renamed{Reference: r, name: name})
			}
		}
		isFound := map[*yaml.Node]bool{}
		for _, r := range partOf(t, known, tried, func(at stamp.Thing, n *yaml.Node) bool {
			return s.Adds(at.Path, at.Key) && s.Added[at.Path][at.Key].IsOf(n)
		}) {
			found = append(found, r)
			isFound[r.Node] = true
		}
		rest = slices.DeleteFunc(rest, func(r podtemplate.Reference) bool { return isFound[r.Node] })
	}
	return found
}

// mayBeRenamed reports whether kustomize can have changed a name into that of a reference. If the stream has an object of the old
// name only, that object was not renamed, whatever a stamp says.
func (w *workload) mayBeRenamed(r podtemplate.Reference, name string) bool {
	return w.holds(r.Kind, r.Node.Value) || !w.holds(r.Kind, name)
}

// mayBeStamped returns the references that are part of something that a stamp names, or may be part of it by their old names: those
// are the keys of some entries.
func mayBeStamped(s *stamp.Stamp, inside map[stamp.Thing][]podtemplate.Reference) []podtemplate.Reference {
	var things []stamp.Thing
	for _, at := range s.Things() {
		list := stamp.ThingAt(at.Path)
		if list.Key == "imagePullSecrets" || list.Key == "envFrom" {
			at = list
		}
		things = append(things, at)
	}
	isKnown := map[*yaml.Node]bool{}
	var found []podtemplate.Reference
	for _, at := range slices.Compact(things) {
		for _, r := range inside[at] {
			if !isKnown[r.Node] {
				isKnown[r.Node] = true
				found = append(found, r)
			}
		}
	}
	return found
}

// referencesInside returns the references inside of each thing of a pod spec.
func referencesInside(references []podtemplate.Reference) map[stamp.Thing][]podtemplate.Reference {
	inside, keys := map[stamp.Thing][]podtemplate.Reference{}, entryKeys{}
	for _, r := range references {
		for at := range keys.around(r) {
			inside[at] = append(inside[at], r)
		}
	}
	return inside
}

// partOf returns those of the references that are part of something accepted, in a pod template in which they and others have their
// old names.
func partOf(t podtemplate.Template, others, all []renamed, accept func(at stamp.Thing, n *yaml.Node) bool) []renamed {
	if len(all) == 0 {
		return nil
	}
	spec := node.Clone(t.Spec())
	setOldNames(spec, slices.Concat(others, all))
	places := make(map[node.Position]renamed, len(all))
	for _, r := range all {
		places[node.PositionOf(r.Node)] = r
	}
	var found []renamed
	search := newThingSearch(accept)
	for _, r := range podtemplate.References(spec) {
		if was, isOne := places[node.PositionOf(r.Node)]; isOne && search.finds(r) {
			found = append(found, was)
		}
	}
	return found
}
