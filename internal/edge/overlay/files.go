package overlay

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/edge/files"
)

// Check builds the roots of a tree that have steps, and returns what they change in workloads of files, and which of
// them cannot be built. Injected has the real paths of files with workloads that injectors are for, and whether all of
// these are as declared: what they lack is no finding about a root. Namespace returns that of a root.
//
// An injection would only move entries of containers, such as variables, in what nearly every patch makes that adds one
// by its name. That is no finding here.
func (b Builder) Check(
	ctx context.Context, tree []files.Kustomization, injected map[string]bool, namespace func(dir string) string,
) ([]finding.Finding, error) {
	kustomizations, _ := files.Roots(tree)
	var roots []*Root
	lacks := map[*Root]bool{}
	for _, k := range kustomizations {
		dir := filepath.Dir(k.Path)
		contents := b.Disk.Contents(dir)
		root := &Root{Dir: dir, File: k.Path, Namespace: namespace(dir)}
		isInjected := false
		for _, path := range contents.Files {
			isDeclared, isThere := injected[path]
			isInjected = isInjected || isThere
			lacks[root] = lacks[root] || isThere && !isDeclared
		}
		if len(contents.Steps) > 0 && isInjected {
			roots = append(roots, root)
		}
	}
	if err := b.Run(ctx, roots); err != nil {
		return nil, err
	}
	all := b.Failures(roots, finding.Warning, finding.Warning)
	for _, root := range roots {
		root.Run = root.Run.Only(func(w *outcome.Workload) bool { return !onlyMovesInside(w) })
	}
	causes, err := b.Causes(ctx, roots)
	hasCause := map[*outcome.Workload]bool{}
	for _, cause := range causes {
		hasCause[cause.Workload] = true
		isSame := func(f finding.Finding) bool {
			return *f.File == *cause.Finding.File && f.Message == cause.Finding.Message
		}
		if !slices.ContainsFunc(all, isSame) {
			all = append(all, cause.Finding)
		}
	}
	for _, root := range roots {
		if lacks[root] {
			continue
		}
		for _, w := range wrong(root) {
			if !hasCause[w] && w.WasInjected() {
				all = append(all, withoutCause(root, w))
			}
		}
	}
	return all, err
}

// withoutCause returns the finding about a workload that is not as declared, although its files are and none of the
// steps alone is the reason.
func withoutCause(root *Root, w *outcome.Workload) finding.Finding {
	return finding.Finding{
		Severity: finding.Warning,
		Code:     finding.PatchedAway,
		Object:   &w.Object,
		File:     &finding.File{Path: root.File},
		Message: fmt.Sprintf("in what %s builds, %s; no single patch is the cause: pillion verify -k %[1]s shows it",
			root.Dir, difference(w)),
	}
}

// onlyMovesInside reports whether an injection would only move entries of containers.
func onlyMovesInside(w *outcome.Workload) bool {
	moves := 0
	for _, o := range w.Outcomes {
		isOther := func(c decision.Change) bool { return c.Verb != decision.Moves || stamp.IsContainers(c.Path) }
		if o.Decision == decision.Refused || slices.ContainsFunc(o.Changes, isOther) {
			return false
		}
		moves += len(o.Changes)
	}
	return moves > 0
}
