package audit

import (
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/live"
	"pillion.dev/pillion/internal/yaml/node"
)

// workloadFields are the fields of a workload's metadata that selection may look at.
var workloadFields = []string{"labels", "annotations"}

// looksAtWorkloads reports whether injectors select by the labels of workloads, and not only by those of their pods.
func looksAtWorkloads(injectors []*injector.Injector) bool {
	return slices.ContainsFunc(injectors, func(in *injector.Injector) bool { return in.Spec.SelectorScope != v1alpha1.ScopePodTemplate })
}

// learnLabels keeps the labels and annotations of a workload, if the injectors select by them.
func (a *Auditor) learnLabels(name live.Owner, object *node.Node) {
	if !looksAtWorkloads(a.config.Injectors()) {
		return
	}
	kept := node.Mapping()
	for _, field := range workloadFields {
		values := node.Mapping()
		for key, value := range node.Fields(node.Get(object, "metadata", field)) {
			if key != live.LocalConfig {
				node.Set(values, strings.Clone(key), node.String(strings.Clone(value.Value)))
			}
		}
		node.Set(kept, field, values)
	}
	a.labels[name] = kept
}

// addLabels gives a manifest the labels and annotations of its workload, as far as they are known.
func (a *Auditor) addLabels(manifest *node.Node, owner live.Owner) {
	known := a.labels[owner]
	if known == nil || node.Text(manifest, "kind") != owner.Kind || owner.Kind == "Pod" {
		return
	}
	for _, field := range workloadFields {
		node.Set(node.Get(manifest, "metadata"), field, node.Get(known, field))
	}
}
