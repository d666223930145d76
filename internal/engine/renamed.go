package engine

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/rename"
	"pillion.dev/pillion/internal/selection"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

// Names that kustomize has changed: all steps work on a version of the workload that has the names of the config, so that a
// renamed reference is neither drift nor a change. The names of the file are put back before the workload is written.

// renamed is a reference to which kustomize gave another name than the config has.
type renamed struct {
	podtemplate.Reference        // with the name in the file
	name                  string // in the config
	by                    *member
}

// restoreNames gives the references that kustomize renamed the names of the config, in a version of the workload from which
// everything else is made. Only references that a stamp of the run's injectors covers are restored. It reports whether there
// are any.
func (w *workload) restoreNames(candidates []selection.Candidate) bool {
	w.read, w.renamed = w.document, make([][]renamed, len(candidates))
	hasRenamed := false
	for i, c := range candidates {
		if c.Template.Broken != nil {
			continue
		}
		w.renamed[i] = w.stampedOnly(c.Template, w.findRenamed(c.Template))
		hasRenamed = hasRenamed || len(w.renamed[i]) > 0
	}
	if !hasRenamed {
		return false
	}
	w.document, w.original = ownVersion(w.document)
	for i, c := range candidates {
		setNames(c.Template.Own(w.original).Spec(), w.renamed[i])
	}
	return true
}

// setNames gives references the names of the config, in a pod spec that is safe to change. The nodes keep their places.
func setNames(spec *yaml.Node, all []renamed) {
	for _, r := range all {
		name := *r.Node
		name.Tag, name.Value = "!!str", r.name
		r.Set(spec, &name)
	}
}

// findRenamed returns the references of a pod template that look as if kustomize had renamed them.
func (w *workload) findRenamed(t podtemplate.Template) []renamed {
	var found []renamed
	annotations := node.Get(t.Node, "metadata", "annotations")
	var references []podtemplate.Reference
	for _, m := range w.run.members {
		if len(m.names) == 0 || node.Text(annotations, m.key) == "" {
			continue
		}
		if references == nil {
			references = podtemplate.References(t.Spec())
		}
		names := w.objectNames(m, t)
		for _, r := range references {
			if name := w.nameBefore(r, r.Entry(t.Spec()), names); name != "" {
				found = append(found, renamed{r, name, m})
			}
		}
	}
	return found
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

// nameBefore returns which of the payload's names kustomize changed into that of a reference, or "". A name that the payload
// has in the same container or volume comes first, and then the longest one.
func (w *workload) nameBefore(r podtemplate.Reference, entry string, names []injector.ObjectName) string {
	is := func(n injector.ObjectName) bool { return n.Kind == r.Kind && n.Name == r.Node.Value }
	if slices.ContainsFunc(names, is) {
		return ""
	}
	given := rename.Name{Name: r.Node.Value, Owner: w.result.Object.Name, Has: func(name string) bool {
		return w.run.objects().has(r.Kind, name, w.result.Object.Namespace)
	}}
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
	if i := slices.IndexFunc(from, func(n injector.ObjectName) bool { return n.Entry == entry }); i >= 0 {
		return from[i].Name
	}
	return from[0].Name
}

// stampedOnly returns those of the references that are part of something that the stamp of their injector names.
func (w *workload) stampedOnly(t podtemplate.Template, all []renamed) []renamed {
	if len(all) == 0 {
		return nil
	}
	stamps, _ := stamp.Read(t.Node)
	before := node.Clone(t.Spec())
	setNames(before, all)
	return slices.DeleteFunc(all, func(r renamed) bool {
		s := stamps[r.by.key]
		return s == nil || !slices.ContainsFunc(thingsAround(before, r.Path), func(t stamp.Thing) bool { return s.Adds(t.Path, t.Key) })
	})
}

// thingsAround returns everything in a pod spec that a field is inside of, and the field itself.
func thingsAround(spec *yaml.Node, field string) []stamp.Thing {
	var all []stamp.Thing
	at, path := spec, "spec"
	enter := func(key string, value *yaml.Node) {
		all = append(all, stamp.Thing{Path: path, Key: key})
		at, path = value, all[len(all)-1].Inside()
	}
	for step := range strings.SplitSeq(field, ".") {
		name, index, isEntry := strings.Cut(strings.TrimSuffix(step, "]"), "[")
		enter(name, node.Get(at, name))
		if isEntry {
			i, _ := strconv.Atoi(index)
			enter(stamp.KeyOf(path, at.Content[i]), node.Resolve(at.Content[i]))
		}
	}
	return all
}

// reportRenamed reports the references of a pod template that keep the names that kustomize gave them, each name once.
func (p *pod) reportRenamed() {
	type change struct{ kind, from, to string }
	reported := map[change]bool{}
	for _, r := range p.work.renamed[p.index] {
		c := change{r.Kind, r.name, r.Node.Value}
		if slices.Contains(p.plan.inject, r.by) && !reported[c] {
			reported[c] = true
			p.report(r.by, renamedReference(r, p.template.At("spec."+r.Path)))
		}
	}
}

// heldRenamed returns the objects that payloads name and that the stream holds by the names that kustomize gave them.
func (w *workload) heldRenamed() wanted {
	var held wanted
	for _, all := range w.renamed {
		for _, r := range all {
			if w.run.objects().has(r.Kind, r.Node.Value, w.result.Object.Namespace) {
				if held == nil {
					held = wanted{}
				}
				held[[2]string{r.Kind, r.name}] = true
			}
		}
	}
	return held
}

// returnNames gives references in the version under change the names that the file has: those that they have in the file, and the
// same names to new references to the same objects.
func (w *workload) returnNames() {
	if w.read == w.document {
		return
	}
	w.copied, w.changed = ownVersion(w.copied)
	for i := range w.pods {
		known := newKnownNames(w.renamed[i])
		spec := w.pods[i].template.Own(w.changed).Spec()
		for _, r := range podtemplate.References(spec) {
			if name := known.find(r); name != nil {
				r.Set(spec, name)
			}
		}
	}
}

// knownNames are the names that kustomize gave to references, by their places, and by what they refer to.
type knownNames struct {
	places  map[node.Position]renamed
	objects map[[2]string]string // by kind and name in the config; "" if the file has several names for it
}

func newKnownNames(all []renamed) knownNames {
	known := knownNames{map[node.Position]renamed{}, map[[2]string]string{}}
	for _, r := range all {
		known.places[node.PositionOf(r.Node)] = r
		key := [2]string{r.Kind, r.name}
		if name, isKnown := known.objects[key]; isKnown && name != r.Node.Value {
			known.objects[key] = ""
			continue
		}
		known.objects[key] = r.Node.Value
	}
	return known
}

// find returns the node that a reference has in the file, a new one for a new reference to the same object, or nil.
func (k knownNames) find(r podtemplate.Reference) *yaml.Node {
	if was, isKnown := k.places[node.PositionOf(r.Node)]; isKnown && was.name == r.Node.Value {
		return was.Node
	}
	if name := k.objects[[2]string{r.Kind, r.Node.Value}]; name != "" && node.IsNew(r.Node) {
		return node.String(name)
	}
	return nil
}
