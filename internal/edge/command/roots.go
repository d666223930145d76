package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/edge/kustomization"
	"pillion.dev/pillion/internal/edge/overlay"
)

// The values of --load-restrictor are those of kustomize build, which has rootOnly as its default.
const (
	rootOnly       = "LoadRestrictionsRootOnly"
	noRestrictions = "LoadRestrictionsNone"
)

// applyToRoots builds the kustomizations of the flags, and runs the config on each of them.
func (in *input) applyToRoots(ctx context.Context, cmd *cobra.Command, w *verbRun) error {
	roots, err := in.findRoots(ctx, cmd)
	if err != nil {
		return err
	}
	if w.config, err = in.chosenOf(w.config.NamingFlags()); err != nil {
		return err
	}
	for _, root := range roots {
		root.Namespace = in.namespaceOf(w.config, root.Dir)
	}
	builder := in.newBuilder(nil, w.config)
	isPart := len(roots) > 1 || len(w.manifests) > 0
	if isPart {
		builder.Config = builder.Config.InParts()
	}
	if err := builder.Run(ctx, roots); err != nil {
		return err
	}
	w.built = builder.Disk.Files()
	if !in.changes {
		causes, err := builder.Causes(ctx, roots)
		if err != nil {
			return err
		}
		for _, cause := range causes {
			cause.Workload.PatchedAway(cause.Finding)
		}
	}
	for _, root := range roots {
		in.project.dropSame(root)
		w.add(root)
	}
	empty := finding.Warning
	if !in.recursive || len(roots) == 1 { // then it was named
		empty = finding.Error
	}
	w.Run.General = append(w.Run.General, builder.Failures(roots, finding.Error, empty)...)
	if isPart {
		w.checkExpectations()
	}
	return nil
}

// suggestBuilds adds to what is said about injectors that match nothing which kustomization of a tree builds workloads
// that they match, because it adds labels or a namespace. It looks at the first ones only, as examples.
func (in *input) suggestBuilds(ctx context.Context, w *verbRun, tree []files.Kustomization) error {
	const most = 20
	tooFew := func(f finding.Finding) bool { return f.Code == finding.TooFewMatches }
	if len(tree) == 0 || !slices.ContainsFunc(w.Run.General, tooFew) {
		return nil
	}
	kustomizations, _ := files.Roots(tree)
	var roots []*overlay.Root
	for _, k := range kustomizations[:min(most, len(kustomizations))] {
		dir := filepath.Dir(k.Path)
		roots = append(roots, &overlay.Root{Dir: dir, File: k.Path, Namespace: in.namespaceOf(w.config, dir)})
	}
	builder := in.newBuilder(nil, w.config.InParts())
	err := builder.Run(ctx, roots)
	for i, f := range w.Run.General {
		selects := func(root *overlay.Root) bool { return root.Selects(f.Injector) }
		if at := slices.IndexFunc(roots, selects); tooFew(f) && at >= 0 {
			w.Run.General[i].Message += fmt.Sprintf("; it matches what %s builds, because kustomize adds what is "+
				"missing: use -k %[1]s, or write that into the files", roots[at].Dir)
		}
	}
	return err
}

// checkExpectations checks what the config expects of all parts of the run together. After an error, nothing changes,
// as in a run that is not made of parts.
func (w *verbRun) checkExpectations() {
	found := w.config.CheckExpectations(w.Run)
	w.Run.General = append(w.Run.General, found...)
	if finding.HasError(found) {
		w.Run = w.Run.HoldBack()
		w.Texts = nil
		w.Edits = nil
	}
}

// newBuilder returns what builds kustomizations as the flags say, with other texts in place of those of some files.
func (in *input) newBuilder(instead map[string][]byte, config engine.Config) overlay.Builder {
	disk := kustomization.NewDisk(instead)
	disk.AnyFile = in.restrictor.value != rootOnly
	if in.project.isWhole {
		disk.Within = in.project.repository()
	}
	return overlay.Builder{Disk: disk, Config: config, MayBeEmpty: in.allowEmpty, ListsAll: in.verbose}
}

// add adds what became of a root, if it was built.
func (w *verbRun) add(root *overlay.Root) {
	if w.roots == nil {
		w.roots = map[string]bool{}
	}
	w.roots[root.File] = root.Err == nil
	for _, m := range root.Run.Makers {
		m.Root = root.File
		m.File = &finding.File{Path: root.File} // whatever annotations of the object say
	}
	if root.Err != nil {
		w.Run = w.Run.Add(outcome.Run{Level: finding.Warning})
		return
	}
	w.Run = w.Run.Add(root.Run)
	w.manifests = append(w.manifests, finding.Source{File: root.Dir, Text: root.Text})
	w.Texts = append(w.Texts, root.Texts...)
	w.Edits = append(w.Edits, root.Edits...)
}

// findRoots returns the kustomizations to build: those that the project declares or the flags name, or with -R, those
// below that no other one uses.
func (in *input) findRoots(ctx context.Context, cmd *cobra.Command) ([]*overlay.Root, error) {
	if slices.Contains(in.kustomizations, "") {
		return nil, errors.New("-k is empty; set the variable that it comes from, or remove it")
	}
	find := in.namedKustomizations
	switch {
	case in.project.isWhole:
		find = in.project.declaredKustomizations
	case in.recursive:
		find = in.kustomizationsBelow
	}
	found, passed, err := find(ctx)
	if err != nil {
		return nil, err
	}
	var roots []*overlay.Root
	known := map[string]*overlay.Root{} // a directory may have several names
	for _, k := range found {
		dir := filepath.Dir(k.Path)
		path := files.RealPath(dir)
		if known[path] == nil {
			known[path] = &overlay.Root{Dir: dir, File: k.Path}
			roots = append(roots, known[path])
		}
		known[path].IsNamed = known[path].IsNamed || k.IsNamed
	}
	in.writePassed(cmd.ErrOrStderr(), "passed over", passed)
	if in.project.isWhole {
		in.writeInNoRoot(cmd.ErrOrStderr())
	}
	if len(roots) == 0 && !in.allowEmpty {
		return nil, errors.New("there is no kustomization to build; name other directories with -k, " +
			"or accept that with --allow-empty")
	}
	slices.SortFunc(roots, func(a, b *overlay.Root) int { return cmp.Compare(a.Dir, b.Dir) })
	return roots, nil
}

// namedKustomizations returns those in the directories of -k.
func (in *input) namedKustomizations(context.Context) (found []files.Kustomization, passed []files.Passed, err error) {
	isExcluded, err := files.Excludes(in.excluded())
	if err != nil {
		return nil, nil, err
	}
	for _, dir := range in.kustomizations {
		k := files.Kustomization{Path: firstExisting(dir, files.Kustomizations())}
		if isExcluded(k.Path) {
			passed = append(passed, files.Passed{Path: k.Path, Why: files.Excluded})
		} else {
			found = append(found, k)
		}
	}
	return found, passed, nil
}

// kustomizationsBelow returns the roots at and below the directories of -k.
func (in *input) kustomizationsBelow(ctx context.Context) (roots []files.Kustomization, passed []files.Passed, err error) {
	all, passed, err := files.KustomizationsBelow(ctx, in.kustomizations, in.excluded())
	if err != nil {
		return nil, nil, fmt.Errorf("-k: %w", err)
	}
	roots, others := files.Roots(all)
	return roots, append(passed, others...), nil
}

// checkOverlays adds what the kustomizations of a tree make of sidecars in its files, as they will be.
func (in *input) checkOverlays(ctx context.Context, w *verbRun, tree []files.Kustomization) error {
	if len(tree) == 0 {
		return nil
	}
	instead := map[string][]byte{}
	for i, text := range w.Texts {
		if text != nil && !in.verifies {
			instead[files.RealPath(w.manifests[i].File)] = text
		}
	}
	namespaceOf := func(dir string) string { return in.namespaceOf(w.config, dir) }
	builder := in.newBuilder(instead, w.config.Showing().InParts())
	builder.MayBeEmpty = true
	inFiles, undeclared := workloadsIn(w.Run, instead)
	found, err := builder.Check(ctx, tree, inFiles, undeclared, namespaceOf)
	for i := range found {
		if !in.verifies {
			found[i].Severity = finding.Warning
		}
	}
	w.Run.General = append(w.Run.General, found...)
	return err
}

// workloadsIn returns the workloads of a run by the real paths of their files, and which files have one that is not as
// declared: now, or in what is there instead.
func workloadsIn(run outcome.Run, instead map[string][]byte) (in overlay.Files, undeclared map[string]bool) {
	in = overlay.Files{}
	undeclared = map[string]bool{}
	verified := run.Verified().Workloads
	for i, one := range run.Workloads {
		if one.File == nil {
			continue
		}
		path := files.RealPath(one.File.Path)
		in[path] = append(in[path], one)
		_, isWritten := instead[path]
		if one.Decision() == decision.Refused || !isWritten && verified[i].Failed() {
			undeclared[path] = true
		}
	}
	return in, undeclared
}
