package command

import (
	"fmt"
	"hash/maphash"
	"path/filepath"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/edge/files"
)

// appliedObject is what kubectl applies to the same object of a cluster: two workloads in the files of a directory.
type appliedObject struct{ dir, group, kind, namespace, name string }

func newAppliedObject(w *outcome.Workload) appliedObject {
	group, _, isGroup := strings.Cut(w.Object.APIVersion, "/")
	if !isGroup {
		group = ""
	}
	dir := w.File.Path
	if dir != files.Stdin {
		dir = filepath.Dir(dir)
	}
	return appliedObject{dir, group, w.Object.Kind, w.Object.Namespace, w.Object.Name}
}

// repeatedObjects returns a warning for each workload that is there a second time in a file, or in the files of a
// directory. Directories of their own are often environments of their own. What a kustomization lists is left to
// kustomize, which refuses to build an object twice: other files there are for other kustomizations, or for none.
func repeatedObjects(workloads []*outcome.Workload, kustomizations []files.Kustomization) []finding.Finding {
	seed := maphash.MakeSeed()
	seen := map[uint64]*outcome.Workload{} // by their hashes, because there may be very many
	var isKustomized func(path string) bool
	var findings []finding.Finding
	for _, w := range workloads {
		if w.IsGenerated || w.File == nil {
			continue
		}
		object := newAppliedObject(w)
		hash := maphash.Comparable(seed, object)
		first := seen[hash]
		seen[hash] = w
		if first == nil || newAppliedObject(first) != object {
			continue
		}
		if isKustomized == nil {
			isKustomized = usedBy(kustomizations)
		}
		if isKustomized(first.File.Path) || isKustomized(w.File.Path) {
			continue
		}
		message := fmt.Sprintf("it is also in %s; kubectl applies both, and only this one stays; remove one of them, "+
			"or move it to another directory if they are applied apart", first.File)
		findings = append(findings, finding.Finding{
			Severity: finding.Warning,
			Code:     finding.RepeatedObject,
			Object:   &w.Object,
			File:     w.File,
			Message:  message,
		})
	}
	return findings
}

// usedBy returns a function that reports whether a file is in the directory of one of the kustomizations, or listed by
// one.
func usedBy(kustomizations []files.Kustomization) func(path string) bool {
	isUsed := map[string]bool{}
	for _, k := range kustomizations {
		isUsed[files.RealPath(filepath.Dir(k.Path))] = true
		for _, path := range k.Uses {
			isUsed[path] = true
		}
	}
	return func(path string) bool {
		path = files.RealPath(path)
		return slices.ContainsFunc([]string{path, filepath.Dir(path)}, func(path string) bool { return isUsed[path] })
	}
}
