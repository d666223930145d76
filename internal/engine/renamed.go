package engine

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/selection"
	"pillion.dev/pillion/internal/yaml/node"
)

// Names that kustomize has changed: all steps work on a version of the workload that has the names of the config, so that a
// renamed reference is neither drift nor a change. The names of the file are put back before the workload is written.

// renamed is a reference to which kustomize gave another name than it had when its injector added it.
type renamed struct {
	podtemplate.Reference         // with the name in the file
	name                  string  // the one it had
	by                    *member // the injector that keeps it; nil for one that follows the app, and for one of the app
}

// object returns what the file refers to.
func (r renamed) object() objectKey { return objectKey{r.Kind, r.Node.Value} }

// restoreNames gives the references that kustomize renamed their old names, in a version of the workload from which everything
// else is made. It reports whether there are any.
func (w *workload) restoreNames(candidates []selection.Candidate) bool {
	w.read, w.renamed = w.document, make([][]renamed, len(candidates))
	hasRenamed := false
	for i, c := range candidates {
		if c.Template.Broken == nil {
			w.renamed[i] = w.findRenamed(c.Template)
			hasRenamed = hasRenamed || len(w.renamed[i]) > 0
		}
	}
	if !hasRenamed {
		return false
	}
	w.document, w.original = ownVersion(w.document)
	for i, c := range candidates {
		if len(w.renamed[i]) > 0 {
			setOldNames(c.Template.Own(w.original).Spec(), w.renamed[i])
		}
	}
	return true
}

// setOldNames gives references their old names, in a pod spec that is safe to change. The nodes keep their places.
func setOldNames(spec *yaml.Node, all []renamed) {
	references := make([]podtemplate.Reference, len(all))
	for i, r := range all {
		name := *r.Node
		name.Tag, name.Value, name.Style = "!!str", r.name, yaml.DoubleQuotedStyle // so that y stays a string
		references[i] = podtemplate.Reference{Kind: r.Kind, Node: &name, Steps: r.Steps}
	}
	podtemplate.SetNames(spec, references)
}

// reportRenamed reports the references of a pod template that keep the names that kustomize gave them, each name once.
func (p *pod) reportRenamed() {
	reported := map[objectKey]bool{}
	for _, r := range p.work.renamed[p.index] {
		if slices.Contains(p.plan.inject, r.by) && !reported[r.object()] {
			reported[r.object()] = true
			p.report(r.by, renamedReference(r, p.template.At("spec."+r.Path())))
		}
	}
}

// heldRenamed returns the objects that payloads name and that the stream holds by the names that kustomize gave them.
func (w *workload) heldRenamed() wanted {
	var held wanted
	for _, all := range w.renamed {
		for _, r := range all {
			if !w.holds(r.Kind, r.Node.Value) {
				continue
			}
			if held == nil {
				held = wanted{}
			}
			held[objectKey{r.Kind, r.name}] = true
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
		if len(w.renamed[i]) == 0 {
			continue
		}
		known := newKnownNames(w.renamed[i])
		spec := w.pods[i].template.Own(w.changed).Spec()
		var returned []podtemplate.Reference
		for _, r := range podtemplate.References(spec) {
			if name := known.find(r); name != nil {
				returned = append(returned, podtemplate.Reference{Kind: r.Kind, Node: name, Steps: r.Steps})
			}
		}
		podtemplate.SetNames(spec, returned)
	}
}

// knownNames are the names that kustomize gave to references, by their places, and by what they refer to.
type knownNames struct {
	places  map[node.Position]renamed
	objects map[objectKey]string // by the name in the config; "" if the file has several names for it
}

func newKnownNames(all []renamed) knownNames {
	known := knownNames{map[node.Position]renamed{}, map[objectKey]string{}}
	for _, r := range all {
		known.places[node.PositionOf(r.Node)] = r
		key := objectKey{r.Kind, r.name}
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
	if name := k.objects[objectKey{r.Kind, r.Node.Value}]; name != "" && node.IsNew(r.Node) {
		return node.String(name)
	}
	return nil
}
