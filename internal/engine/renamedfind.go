package engine

import (
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
	annotations := node.Get(t.Node, "metadata", "annotations")
	isStamped := func(m *member) bool { return node.Get(annotations, m.key) != nil }
	if !slices.ContainsFunc(w.run.members, isStamped) {
		return nil
	}
	references := podtemplate.References(t.Spec())
	var stamps map[string]*stamp.Stamp // read once, and only if a name may have been changed
	var found []renamed
	for _, m := range w.run.members {
		if !isStamped(m) {
			continue
		}
		byName, rest := w.compareNames(m, references, w.objectNames(m, t))
		affixes := w.affixes(byName)
		if len(byName) == 0 && !slices.ContainsFunc(rest, func(r podtemplate.Reference) bool { return mayHave(affixes, r) }) {
			continue
		}
		if stamps == nil {
			stamps, _ = stamp.Read(t.Node)
		}
		if s := stamps[m.key]; s != nil {
			found = append(found, stampedOnly(t, s, byName)...)
			found = append(found, w.compareFingerprints(t, s, affixes, byName, rest)...)
		}
	}
	return withSameNames(found, references)
}

// objectNames returns the names of objects in an injector's payload for a pod template.
func (w *workload) objectNames(m *member, t podtemplate.Template) []injector.ObjectName {
	if m.injector.Varies() {
		if in, findings := m.injector.For(injector.Subject{Object: &w.result.Object, Template: t}); !finding.HasError(findings) {
			return in.ObjectNames()
		}
	}
	return m.names
}

// compareNames returns the references whose names kustomize made of those in an injector's payload, and those whose names are not
// in the payload.
func (w *workload) compareNames(
	m *member, references []podtemplate.Reference, names []injector.ObjectName,
) (found []renamed, rest []podtemplate.Reference) {
	for _, r := range references {
		if slices.ContainsFunc(names, func(n injector.ObjectName) bool { return n.Kind == r.Kind && n.Name == r.Node.Value }) {
			continue
		}
		if name := w.nameBefore(r, names); name != "" {
			found = append(found, renamed{r, name, m})
		} else {
			rest = append(rest, r)
		}
	}
	return found, rest
}

// nameBefore returns which of the payload's names kustomize changed into that of a reference, or "". A name that the payload
// has in the same container or volume comes first, and then the longest one.
func (w *workload) nameBefore(r podtemplate.Reference, names []injector.ObjectName) string {
	given := rename.Name{Name: r.Node.Value, Owner: w.result.Object.Name, Has: w.hasObject(r.Kind)}
	var from []injector.ObjectName
	for _, n := range names {
		if n.Kind == r.Kind && given.IsFrom(n.Name) {
			from = append(from, n)
		}
	}
	if len(from) == 0 {
		return ""
	}
	slices.SortStableFunc(from, func(a, b injector.ObjectName) int { return len(b.Name) - len(a.Name) })
	if i := slices.IndexFunc(from, func(n injector.ObjectName) bool { return n.Entry == r.Entry() }); i >= 0 {
		return from[i].Name
	}
	return from[0].Name
}

// affixes returns what kustomize may have put around names: what it may have put around the workload's own, and what it put around
// those that were found, up to a number of combinations that can be tried.
func (w *workload) affixes(found []renamed) []rename.Affixes {
	all := rename.AffixesOf(w.result.Object.Name)
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
// over from the app. The known ones are found already. An object that the input has under its old name only was not renamed.
func (w *workload) compareFingerprints(
	t podtemplate.Template, s *stamp.Stamp, affixes []rename.Affixes, known []renamed, rest []podtemplate.Reference,
) []renamed {
	rest = mayBeStamped(s, rest)
	var found []renamed
	for _, a := range affixes {
		var tried []renamed
		for _, r := range rest {
			if name := a.Remove(r.Node.Value); name != r.Node.Value && !w.hasOnly(r, name) {
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
		rest = slices.DeleteFunc(slices.Clone(rest), func(r podtemplate.Reference) bool { return isFound[r.Node] })
	}
	return found
}

// hasObject returns a function that reports whether the input has an object of a kind, by its name, in the workload's namespace.
func (w *workload) hasObject(kind string) func(name string) bool {
	return func(name string) bool { return w.run.objects().has(kind, name, w.result.Object.Namespace) }
}

// hasOnly reports whether the input has an object of another name, and none of the name of a reference.
func (w *workload) hasOnly(r podtemplate.Reference, name string) bool {
	has := w.hasObject(r.Kind)
	return has(name) && !has(r.Node.Value)
}

// mayBeStamped returns those of the references that are part of something that a stamp names, or may be part of it by their old
// names: those are the keys of some entries.
func mayBeStamped(s *stamp.Stamp, all []podtemplate.Reference) []podtemplate.Reference {
	search := newThingSearch(func(at stamp.Thing, _ *yaml.Node) bool {
		isKeyedByName := strings.HasSuffix(at.Path, "/imagePullSecrets") || strings.HasSuffix(at.Path, "/envFrom")
		return s.Adds(at.Path, at.Key) || isKeyedByName && len(s.Added[at.Path]) > 0
	})
	var found []podtemplate.Reference
	for _, r := range all {
		if search.finds(r) {
			found = append(found, r)
		}
	}
	return found
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
	keys   map[*yaml.Node]string // of entries
	known  map[stamp.Thing]bool
}

func newThingSearch(accept func(at stamp.Thing, n *yaml.Node) bool) thingSearch {
	return thingSearch{accept: accept, keys: map[*yaml.Node]string{}, known: map[stamp.Thing]bool{}}
}

// finds reports whether a reference is accepted, or something that it is inside of.
func (s thingSearch) finds(r podtemplate.Reference) bool {
	path := "spec"
	for _, step := range r.Steps {
		at := stamp.Thing{Path: path, Key: step.Field}
		if step.Field == "" {
			at.Key = s.keyOf(path, step.Node)
		}
		isAccepted, isKnown := s.known[at]
		if !isKnown {
			isAccepted = s.accept(at, step.Node)
			s.known[at] = isAccepted
		}
		if isAccepted {
			return true
		}
		path = at.Inside()
	}
	return false
}

func (s thingSearch) keyOf(path string, entry *yaml.Node) string {
	if _, isKnown := s.keys[entry]; !isKnown {
		s.keys[entry] = stamp.KeyOf(path, entry)
	}
	return s.keys[entry]
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
