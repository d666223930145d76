package audit

import (
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/config/selection"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/live"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
	yamlread "pillion.dev/pillion/internal/text/yaml/read"
)

// newSelections returns the selections of the injectors, given the namespaces that are known.
func (a *Auditor) newSelections() []*selection.Selection {
	surroundings := selection.Surroundings{Injectors: map[string]bool{}}
	for _, in := range a.config.Injectors() {
		surroundings.Injectors[in.Name] = true
	}
	for _, source := range a.namespaces {
		if document, err := yamlread.Document(source.Text); err == nil { // it was encoded here
			surroundings.Observe(document.Content[0], "")
		}
	}
	selections := make([]*selection.Selection, len(a.config.Injectors()))
	for i, in := range a.config.Injectors() {
		selections[i], _ = selection.New(in, surroundings) // the engine reports what is wrong with it
	}
	return selections
}

// selecting returns the injectors that select the manifest of a pod, and those of which that is not known: what has the
// names of their containers in the pod is theirs, as in the engine.
func (a *Auditor) selecting(manifest *node.Node) (all []*injector.Injector) {
	metadata := node.Get(manifest, "metadata")
	object := &finding.Object{
		APIVersion: node.Text(manifest, "apiVersion"),
		Kind:       node.Text(manifest, "kind"),
		Namespace:  node.Text(metadata, "namespace"),
		Name:       node.Text(metadata, "name"),
	}
	kind, _ := a.kinds.Find(object.APIVersion, object.Kind)
	for _, template := range kind.Templates(manifest) { // of which there is one
		candidate := selection.NewCandidate(object, kind, manifest, template)
		for i, in := range a.config.Injectors() {
			s := a.selections()[i]
			if s == nil {
				continue
			}
			if d := s.Decide(&candidate); d.Inject || leavesInjected(d.Code) {
				all = append(all, in)
			}
		}
	}
	return all
}

// workloadFields are the fields of a workload's metadata that selection may look at.
var workloadFields = []string{"labels", "annotations"}

// looksAtWorkloads reports whether injectors select by the labels of workloads, and not only by those of their pods.
func looksAtWorkloads(injectors []*injector.Injector) bool {
	return slices.ContainsFunc(injectors, func(in *injector.Injector) bool { return in.Spec.SelectorScope != v1alpha1.ScopePodTemplate })
}

// learnLabels keeps the labels and annotations of a workload, if the injectors select by them, or rollouts may.
func (a *Auditor) learnLabels(name live.Creator, kind pod.Kind, object *node.Node) {
	if !kind.Borrows && !looksAtWorkloads(a.config.Injectors()) && !a.config.RollsOut() {
		return
	}
	kept := node.Mapping()
	for _, field := range workloadFields {
		values := node.Mapping()
		for key, value := range node.Fields(node.Get(object, "metadata", field)) {
			isStamp := kind.Borrows && stamp.IsKey(key)
			if key != live.LocalConfig && !isStamp {
				node.Set(values, strings.Clone(key), node.String(strings.Clone(value.Value)))
			}
		}
		node.Set(kept, field, values)
	}
	a.labels[name] = kept
}

// addLabels gives a manifest the labels and annotations of its workload, as far as they are known. If pods are selected
// by those of the workload, the template gets them.
func (a *Auditor) addLabels(manifest, template *node.Node, creator live.Creator) {
	known := a.labels[creator]
	if known == nil || node.Text(manifest, "kind") != creator.Kind || creator.Kind == "Pod" {
		return
	}
	metadata := node.Get(manifest, "metadata")
	if kind, _ := a.kinds.Find(creator.APIVersion, creator.Kind); kind.Borrows {
		metadata = node.OwnMapping(template, "metadata")
	}
	for _, field := range workloadFields {
		node.Set(metadata, field, node.Get(known, field))
	}
}
