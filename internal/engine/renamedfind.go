package engine

import (
	"iter"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
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
	references := podtemplate.References(t.Spec())
	affixes := rename.AffixesOf(w.result.Object.Name)
	mayBeRenamed := slices.ContainsFunc(references, func(r podtemplate.Reference) bool { return mayHave(affixes, r) })
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
			inside = referencesInside(references)
		}
		if s := stamps[m.key]; s != nil {
			rest := names.without(mayBeStamped(s, inside), byName)
			found = append(found, stampedOnly(t, s, byName)...)
			byFingerprint := w.compareFingerprints(t, s, withAffixesAround(affixes, byName), byName, rest)
			names.setWhoKeeps(m, byFingerprint, references)
			found = append(found, byFingerprint...)
		}
	}
	return withSameNames(found, references)
}

// stampedMembers returns the injectors of the run that a pod template has a stamp of.
func (w *workload) stampedMembers(t podtemplate.Template) []*member {
	annotation := node.Values(node.Get(t.Node, "metadata", "annotations"))
	var stamped []*member
	for _, m := range w.run.members {
		if annotation(m.key) != nil {
			stamped = append(stamped, m)
		}
	}
	return stamped
}

// payloadNames are the names of objects in a payload.
type payloadNames struct {
	byKind map[string]*rename.Names
	inside map[injector.ObjectName]bool // with the containers and volumes that have them
	varies bool                         // whether they have variables
}

func newPayloadNames(in *injector.Injector) payloadNames {
	names := payloadNames{byKind: map[string]*rename.Names{}, inside: map[injector.ObjectName]bool{}}
	for _, n := range in.ObjectNames() {
		if names.byKind[n.Kind] == nil {
			names.byKind[n.Kind] = rename.NewNames()
		}
		names.byKind[n.Kind].Add(n.Name)
		names.inside[n] = true
		names.varies = names.varies || in.Varies() && strings.Contains(n.Name+n.Entry, "${")
	}
	return names
}

// payloadNames returns the names of objects in an injector's payload for a pod template.
func (w *workload) payloadNames(m *member, t podtemplate.Template) payloadNames {
	if m.names.varies {
		if in, findings := m.injector.For(injector.Subject{Object: &w.result.Object, Template: t}); !finding.HasError(findings) {
			return newPayloadNames(in)
		}
	}
	return m.names
}

// without returns references, without those whose names are in the payload and those that are found already.
func (n payloadNames) without(references []podtemplate.Reference, found []renamed) []podtemplate.Reference {
	isFound := map[*yaml.Node]bool{}
	for _, r := range found {
		isFound[r.Node] = true
	}
	return slices.DeleteFunc(references, func(r podtemplate.Reference) bool {
		return isFound[r.Node] || n.byKind[r.Kind].Has(r.Node.Value)
	})
}

// compareNames returns the references whose names kustomize made of those in an injector's payload.
func (w *workload) compareNames(m *member, references []podtemplate.Reference, names payloadNames) []renamed {
	var found []renamed
	for _, r := range references {
		if names.byKind[r.Kind].Has(r.Node.Value) {
			continue
		}
		if name := w.nameBefore(r, names); name != "" {
			found = append(found, renamed{r, name, m})
		}
	}
	return found
}

// nameBefore returns which of the payload's names kustomize changed into that of a reference, or "". A name that the payload
// has in the same container or volume comes first, and then the longest one.
func (w *workload) nameBefore(r podtemplate.Reference, names payloadNames) string {
	given := rename.Name{
		Name: r.Node.Value, Owner: w.result.Object.Name, Has: func(name string) bool { return w.holds(r.Kind, name) },
	}
	from := given.From(names.byKind[r.Kind])
	if len(from) == 0 {
		return ""
	}
	entry := r.Entry()
	isInside := func(name string) bool {
		return names.inside[injector.ObjectName{Kind: r.Kind, Name: name, Entry: entry}]
	}
	return from[max(slices.IndexFunc(from, isInside), 0)]
}

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
) []renamed {
	var found []renamed
	for _, a := range affixes {
		var tried []renamed
		for _, r := range rest {
			if name := a.Remove(r.Node.Value); name != r.Node.Value && w.mayBeRenamed(r, name) {
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

// holds reports whether the stream has an object that the workload can refer to.
func (w *workload) holds(kind, name string) bool {
	return w.run.objects().has(kind, name, w.result.Object.Namespace)
}

// setWhoKeeps sets the injector of the references that keep their names, because the payload still has the old ones, or the app,
// from which it takes them over.
func (n payloadNames) setWhoKeeps(m *member, found []renamed, references []podtemplate.Reference) {
	if len(found) == 0 {
		return
	}
	isReferred := map[objectKey]bool{}
	for _, r := range references {
		isReferred[objectKey{r.Kind, r.Node.Value}] = true
	}
	for i, r := range found {
		if n.byKind[r.Kind].Has(r.name) || isReferred[objectKey{r.Kind, r.name}] {
			found[i].by = m
		}
	}
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

// thingSearch finds things of a pod spec that are accepted. It asks about each of them once, because many references may be in one.
type thingSearch struct {
	accept func(at stamp.Thing, n *yaml.Node) bool
	keys   entryKeys
	known  map[stamp.Thing]bool
}

func newThingSearch(accept func(at stamp.Thing, n *yaml.Node) bool) thingSearch {
	return thingSearch{accept: accept, keys: entryKeys{}, known: map[stamp.Thing]bool{}}
}

// finds reports whether a reference is accepted, or something that it is inside of.
func (s thingSearch) finds(r podtemplate.Reference) bool {
	for at, n := range s.keys.around(r) {
		isAccepted, isKnown := s.known[at]
		if !isKnown {
			isAccepted = s.accept(at, n)
			s.known[at] = isAccepted
		}
		if isAccepted {
			return true
		}
	}
	return false
}

// entryKeys are the keys of entries of lists, so that each is determined once.
type entryKeys map[*yaml.Node]string

// around returns the things that a reference is inside of, from the outside to the reference itself.
func (k entryKeys) around(r podtemplate.Reference) iter.Seq2[stamp.Thing, *yaml.Node] {
	return func(yield func(stamp.Thing, *yaml.Node) bool) {
		path := "spec"
		for _, step := range r.Steps {
			at := stamp.Thing{Path: path, Key: step.Field}
			if step.Field == "" {
				at.Key = k.keyOf(path, step.Node)
			}
			if !yield(at, step.Node) {
				return
			}
			path = at.Inside()
		}
	}
}

func (k entryKeys) keyOf(path string, entry *yaml.Node) string {
	if _, isKnown := k[entry]; !isKnown {
		k[entry] = stamp.KeyOf(path, entry)
	}
	return k[entry]
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
