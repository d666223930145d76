package overlay

import (
	"context"
	"path/filepath"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/edge/files"
)

// Check builds the roots of a tree that change pods, and returns what they change in workloads of the files with these
// real paths, and which of them cannot be built. Namespace returns that of a root.
func (b Builder) Check(
	ctx context.Context, tree []files.Kustomization, injected map[string]bool, namespace func(dir string) string,
) ([]finding.Finding, error) {
	kustomizations, _ := files.Roots(tree)
	var roots []*Root
	for _, k := range kustomizations {
		dir := filepath.Dir(k.Path)
		contents := b.Disk.Contents(dir)
		isInjected := func(path string) bool { return injected[path] }
		if len(contents.Steps) > 0 && slices.ContainsFunc(contents.Files, isInjected) {
			roots = append(roots, &Root{Dir: dir, File: k.Path, Namespace: namespace(dir)})
		}
	}
	if err := b.Run(ctx, roots); err != nil {
		return nil, err
	}
	causes, err := b.Causes(ctx, roots)
	var all []finding.Finding
	for _, root := range roots {
		if root.Err != nil {
			all = append(all, root.BuildFailed(finding.Warning))
		}
	}
	for _, cause := range causes {
		if onlyMovesInside(cause.Workload) {
			continue
		}
		isSame := func(f finding.Finding) bool {
			return *f.File == *cause.Finding.File && f.Message == cause.Finding.Message
		}
		if !slices.ContainsFunc(all, isSame) {
			all = append(all, cause.Finding)
		}
	}
	return all, err
}

// onlyMovesInside reports whether an injection would only move entries of containers, such as variables: nearly every
// patch that adds a variable by its name puts it in front.
func onlyMovesInside(w *outcome.Workload) bool {
	moves := 0
	for _, o := range w.Outcomes {
		isOther := func(c outcome.Change) bool { return c.Verb != outcome.Moves || stamp.IsContainers(c.Path) }
		if o.Decision == outcome.Refused || slices.ContainsFunc(o.Changes, isOther) {
			return false
		}
		moves += len(o.Changes)
	}
	return moves > 0
}
