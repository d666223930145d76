// Package overlay runs a config on what kustomizations build, and finds the patch that changes what was injected into
// the files that they build on.
//
// Run builds roots and runs the config on each of them alone. A workload that is further from what is declared than
// without the steps of its kustomizations was changed by one of them: [Builder.Causes] finds the step by bisection. So
// nothing here has to know what a patch does.
package overlay

import (
	"context"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/edge/kustomization"
	"pillion.dev/pillion/internal/work/parallel"
)

// Root is a kustomization that is built on its own.
type Root struct {
	// Dir is its directory, and File its kustomization, as the user would write them.
	Dir, File string
	// IsNamed is whether it was named on its own, so that it may not be empty.
	IsNamed bool
	// Namespace is that of its objects without one.
	Namespace string

	// Text is what it builds.
	Text []byte
	// Err is why it cannot be built.
	Err error
	engine.Result
}

// Builder builds roots, and runs a config on them.
type Builder struct {
	Disk   *kustomization.Disk
	Config engine.Config
	// MayBeEmpty allows roots that build nothing.
	MayBeEmpty bool
	// ListsAll is whether findings list all of the roots that they are about.
	ListsAll bool
}

// Run builds all of the roots, and runs the config on each of them: they are deployed apart. The error means that the
// context has ended.
func (b Builder) Run(ctx context.Context, roots []*Root) error {
	kustomization.Offline(func() {
		parallel.Do(ctx, len(roots), func(i int) {
			root := roots[i]
			root.Text, root.Err = b.Disk.Build(root.Dir)
			switch {
			case b.MayBeEmpty && kustomization.IsEmpty(root.Err):
				root.Err = nil
			case !b.MayBeEmpty && root.Err == nil && len(root.Text) == 0:
				root.Err = kustomization.Empty(root.Dir)
			}
			if root.Err == nil {
				root.Result, root.Err = b.apply(ctx, root, root.Text)
			}
		})
	})
	return ctx.Err()
}

// apply runs the config on what a root builds.
func (b Builder) apply(ctx context.Context, root *Root, text []byte) (engine.Result, error) {
	source := finding.Source{Text: text, MayBeEmpty: true}
	result, err := engine.Apply(ctx, b.Config.InNamespace(root.Namespace).BuiltFrom(root.Dir), source)
	file := &finding.File{Path: root.File} // the lines of what is built are in no file
	for _, w := range result.Run.Workloads {
		w.File = file
		locate(w.General, file)
		for _, o := range w.Outcomes {
			locate(o.Findings, file)
		}
	}
	locate(result.Run.General, file)
	return result, err
}

func locate(findings []finding.Finding, file *finding.File) {
	for i := range findings {
		findings[i].File = file
	}
}

// Selects reports whether an injector is for a workload of the root.
func (r *Root) Selects(injector string) bool {
	isFor := func(o *outcome.Outcome) bool { return o.Injector == injector && o.Matched }
	return slices.ContainsFunc(r.Run.Workloads, func(w *outcome.Workload) bool {
		return slices.ContainsFunc(w.Outcomes, isFor)
	})
}
