package engine

import (
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/manifest"
)

// objectKey is the kind and the name of an object.
type objectKey struct{ kind, name string }

// provides returns the object that an item is, or becomes in the cluster under its own name, as a SealedSecret and an
// ExternalSecret become a Secret. It has no kind if payloads cannot refer to such an object.
func provides(item *manifest.Item) objectKey {
	kinds := []string{"ConfigMap", "Secret", "ServiceAccount"}
	switch {
	case item.APIVersion == "v1" && slices.Contains(kinds, item.Kind):
		return objectKey{item.Kind, item.Name}
	case item.Kind == "SealedSecret" || item.Kind == "ExternalSecret":
		return objectKey{"Secret", item.Name}
	}
	return objectKey{}
}

// missingReferences reports objects that payloads name and the stream does not hold, once for each injector: the
// cluster must have them, in the namespace of each workload.
func (r *run) missingReferences(result outcome.Run, all []visited) []finding.Finding {
	var findings []finding.Finding
	var held map[objectKey]bool // nil until a payload names an object
	unlisted := map[objectKey]string{}
	for _, m := range r.readyInjectors {
		if m.injector.Paused || m.removes() || result.Matches(m.index) == 0 {
			continue // it adds nothing
		}
		for _, ref := range m.injector.References() {
			if held == nil {
				held = r.heldIn(all, unlisted)
			}
			key := objectKey{ref.Kind, ref.Name}
			if held[key] {
				continue
			}
			problem := "is not in the input; make sure that a kustomization makes it"
			if file := unlisted[key]; file != "" {
				problem = fmt.Sprintf("is only in %s, which no kustomization lists; make sure that one does", file)
			}
			severity := finding.Warning
			if strings.HasPrefix(ref.Path, "spec.imagePullSecrets") {
				severity = finding.Info // the only kind without which pods start
			}
			f := newFinding(severity, finding.ReferenceMissing, &finding.Field{Path: ref.Path},
				"the payload names the %s %q, which %s, or that the cluster has it, in the namespace of each workload",
				ref.Kind, ref.Name, problem)
			f.Injector = m.injector.Name
			findings = append(findings, f)
		}
	}
	return findings
}

// heldIn returns which objects the stream holds, of those that payloads name: by their names, by these without the hash
// that kustomize's generator appends, and renamed ones by the names that configs declare. What only an unlisted source
// has does not count, and its file is added to unlisted.
func (r *run) heldIn(all []visited, unlisted map[objectKey]string) map[objectKey]bool {
	held := map[objectKey]bool{} // false until it is found
	for _, m := range r.readyInjectors {
		for _, ref := range m.injector.References() {
			held[objectKey{ref.Kind, ref.Name}] = false
		}
	}
	var allRenamed []renamed
	for _, visited := range all {
		if visited.result != nil {
			allRenamed = append(allRenamed, visited.result.renamed...)
		}
	}
	for _, r := range allRenamed {
		held[objectKey{r.kind, r.present}] = false
	}
	for _, visited := range all {
		item := visited.item
		if item == nil || item.Broken != nil {
			continue
		}
		key := provides(item)
		if _, isWorkload := r.kinds.Find(item.APIVersion, item.Kind); isWorkload || key.kind == "" {
			continue
		}
		for _, key := range []objectKey{key, {key.kind, pods.WithoutHash(key.name)}} {
			switch _, isAsked := held[key]; {
			case isAsked && r.unlisted[item.File]:
				unlisted[key] = item.File
			case isAsked:
				held[key] = true
			}
		}
	}
	for _, object := range r.generated {
		held[objectKey{object.Kind, object.Name}] = true
	}
	for _, r := range allRenamed {
		if held[objectKey{r.kind, r.present}] {
			held[objectKey{r.kind, r.declared}] = true
		}
	}
	return held
}
