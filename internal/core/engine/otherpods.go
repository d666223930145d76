package engine

import (
	"fmt"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// reportOtherPods reports pods of a workload of a built-in kind that are at none of the places where the kind has pod
// templates. The object is the workload as it was read. Of the kinds of Kubernetes, the API server drops what is at
// other places, and a config that declares a kind says where its pods are.
func (w *workload) reportOtherPods(object *node.Node) {
	if w.run.isLive || w.kind.IsDeclared || pods.IsOfKubernetes(w.item.APIVersion) {
		return
	}
	u := &unknownKind{group: w.kind.Group, kind: w.kind.Kind, labels: countLabels(object)}
	u.declared = slices.DeleteFunc(slices.Clone(w.kind.Paths), pods.HasWildcard)
	u.bare = slices.Clone(w.kind.Specs)
	for found := range pods.Search(object, len(w.item.Text)+manifest.MaxAliasNodes) {
		u.add(found)
		if w.kind.Knows(found) || u.selectedBy != nil {
			continue
		}
		u.first = found
		u.selectedBy = w.run.selecting(&w.result.Object, u, object, found)
	}
	if u.selectedBy != nil {
		w.reportOther(u, u.first.Path, "looks like a pod, and is not one of those that are known of the kind, so it gets no "+
			"sidecar; if it is one, declare it with the others in spec.workloads")
	}
	isMatched := func(o *outcome.Outcome) bool { return o.Matched }
	lacking := w.kind.Lacking(object)
	if i := slices.IndexFunc(w.result.Outcomes, isMatched); i >= 0 && lacking != "" {
		u.selectedBy = w.run.readyInjectors[i]
		cannot := pods.FindUnsupported(w.item.APIVersion, w.kind.Kind)
		w.reportOther(u, lacking, fmt.Sprintf("is missing: %s, so these get no sidecar; %s", cannot.Why, cannot.Instead))
	}
}

// reportOther reports what is wrong with a pod at a path, with the ways to accept it.
func (w *workload) reportOther(u *unknownKind, path, problem string) {
	toAccept := fmt.Sprintf(`declare only the others in spec.workloads, or annotate the object with %s: "false"`,
		u.selectedBy.injector.Spec.Marker)
	f := newFinding(finding.Warning, finding.UnsupportedKind, &finding.Field{Path: path}, "%s %s; to accept that, %s%s",
		path, problem, toAccept, w.run.flagsOr(", or leave its file out with --exclude", ""))
	f.Detail = u.declaration()
	for _, place := range w.kind.Paths {
		if pods.HasWildcard(place) {
			f.Detail += "    # and each " + place + " that any object has, by its name\n"
		}
	}
	w.reportGeneral(f)
}
