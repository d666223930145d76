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
	"pillion.dev/pillion/internal/edge/kustomization"
	"pillion.dev/pillion/internal/text/escape"
	"pillion.dev/pillion/internal/text/spelling"
)

// Files are the workloads in files, by the real paths of these.
type Files map[string][]*outcome.Workload

// Check builds the roots of a tree that have steps, and returns what they change in workloads of files, and which of
// them cannot be built. Undeclared are the files whose workloads are not as declared: what they lack is no finding about
// a root. Namespace returns that of a root.
//
// An injection would only move entries of containers, such as variables, in what nearly every patch makes that adds one
// by its name. That is no finding here.
func (b Builder) Check(
	ctx context.Context, tree []files.Kustomization, in Files, undeclared map[string]bool, namespace func(dir string) string,
) ([]finding.Finding, error) {
	kustomizations, _ := files.Roots(tree)
	var roots []*Root
	contents := map[*Root]kustomization.Contents{}
	for _, k := range kustomizations {
		dir := filepath.Dir(k.Path)
		used := b.Disk.Contents(dir)
		if len(used.Steps) > 0 && slices.ContainsFunc(used.Files, in.isInjected) {
			root := &Root{Dir: dir, File: k.Path, Namespace: namespace(dir)}
			roots = append(roots, root)
			contents[root] = used
		}
	}
	if err := b.Run(ctx, roots); err != nil {
		return nil, err
	}
	all := b.Failures(roots, finding.Error, finding.Warning)
	suspects := func(root *Root) []*outcome.Workload { return b.suspects(root, in.sidecarsOf(contents[root])) }
	searches, err := b.search(ctx, roots, suspects)
	for _, cause := range causesOf(searches) {
		isSame := func(f finding.Finding) bool {
			return *f.File == *cause.Finding.File && f.Message == cause.Finding.Message
		}
		if !slices.ContainsFunc(all, isSame) {
			all = append(all, cause.Finding)
		}
	}
	for _, s := range searches {
		lacks := func(path string) bool { return undeclared[path] }
		switch {
		case s.err != nil:
			all = append(all, notCompared(s))
		case len(s.others) > 0:
			all = append(all, withoutCause(s.root, s.others, finding.Error))
		case len(s.causes) == 0 && !slices.ContainsFunc(contents[s.root].Files, lacks):
			isInjected := func(w *outcome.Workload) bool { return w.WasInjected() && !onlyMovesInside(w) }
			if injected := slices.DeleteFunc(wrong(s.root), func(w *outcome.Workload) bool { return !isInjected(w) }); len(injected) > 0 {
				all = append(all, withoutCause(s.root, injected, finding.Warning))
			}
		}
	}
	return all, err
}

// isInjected reports whether a file has a workload that injectors are for.
func (in Files) isInjected(path string) bool {
	return slices.ContainsFunc(in[path], func(w *outcome.Workload) bool { return w.Decision() != decision.Skipped })
}

// sidecarsOf returns which sidecars the files of a kustomization have, by the kind and the name of their workloads, and
// those of any workload by no name. Each workload that is there has an entry; none has one if the kustomization renames
// them.
func (in Files) sidecarsOf(used kustomization.Contents) map[sidecar]bool {
	has := map[sidecar]bool{}
	for _, path := range used.Files {
		for _, w := range in[path] {
			name := nameIn(w)
			for i, o := range w.Outcomes {
				hasSidecar := o.HasSidecar || o.Decision == decision.Removed
				has[sidecar{gone, i}] = has[sidecar{gone, i}] || hasSidecar
				if at := (sidecar{name, i}); !used.Renames {
					has[at] = has[at] || hasSidecar
				}
			}
		}
	}
	return has
}

// nameIn returns what a workload is called in files as well as in what is built, where it may have a namespace.
func nameIn(w *outcome.Workload) finding.Object {
	return finding.Object{Kind: w.Object.Kind, Name: w.Object.Name}
}

// suspects returns the workloads of a root that have not all sidecars of the files as they are declared, except that an
// injection would only move entries of containers. Only these have to be compared with what is built without the steps.
func (b Builder) suspects(root *Root, inFiles map[sidecar]bool) []*outcome.Workload {
	built := b.conditionsIn(root.Run)
	return slices.DeleteFunc(slices.Clone(root.Run.Workloads), func(w *outcome.Workload) bool {
		for i := range b.Config.Injectors() {
			had, isThere := inFiles[sidecar{nameIn(w), i}]
			if !isThere {
				had = inFiles[sidecar{gone, i}]
			}
			if had && built[sidecar{w.Object, i}] != isRight {
				return onlyMovesInside(w)
			}
		}
		return true
	})
}

// withoutCause returns the finding about workloads that are not as declared, although their files are and the step that
// is the reason is not known.
func withoutCause(root *Root, all []*outcome.Workload, severity finding.Severity) finding.Finding {
	first := all[0]
	more := ""
	if len(all) > 1 {
		more = fmt.Sprintf("; so it is with %s more", spelling.Plural(len(all)-1, "workload"))
	}
	return finding.Finding{
		Severity: severity,
		Code:     finding.PatchedAway,
		Object:   &first.Object,
		File:     &finding.File{Path: root.File},
		Message: fmt.Sprintf("in what %s builds, %s%s; no single patch is known to be the cause: pillion verify -k %[1]s shows it",
			root.Dir, difference(first), more),
	}
}

// notCompared returns the finding about a root whose steps cannot be left out, so that nothing tells what they change.
func notCompared(s *search) finding.Finding {
	return finding.Finding{
		Severity: finding.Error,
		Code:     finding.BuildFailed,
		File:     &finding.File{Path: s.root.File},
		Message: fmt.Sprintf("it cannot be built without its patches, which would show what they change in injected files: %s; "+
			"verify it with -k, and leave it out here with --exclude", escape.Clip(s.err.Error(), maxNameBytes)),
	}
}

// onlyMovesInside reports whether an injection would only move entries of containers.
func onlyMovesInside(w *outcome.Workload) bool {
	moves := 0
	for _, o := range w.Outcomes {
		isOther := func(c decision.Change) bool { return c.Verb != decision.Moves || stamp.IsContainers(c.Path) }
		if o.Decision == decision.Refused || changesRenderers(w) || slices.ContainsFunc(o.Changes, isOther) {
			return false
		}
		moves += len(o.Changes)
	}
	return moves > 0
}
