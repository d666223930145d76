package overlay

import (
	"context"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/edge/kustomization"
	"pillion.dev/pillion/internal/work/parallel"
)

const (
	// maxSuspects bounds the roots for which causes are searched: the first ones show what is wrong with the others.
	maxSuspects = 200
	// maxTrials bounds the builds with a part of the steps, for each root.
	maxTrials = 32
)

// Cause is a step of a kustomization that changes what was injected into a workload.
type Cause struct {
	Root     *Root
	Workload *outcome.Workload
	Finding  finding.Finding
}

// Causes returns why workloads of roots that were run are not as declared, as far as a step is the reason. Causes in a
// kustomization that several roots use are the same finding, which names the roots.
func (b Builder) Causes(ctx context.Context, roots []*Root) ([]Cause, error) {
	var suspects []*Root
	for _, root := range roots {
		if root.Err == nil && len(wrong(root)) > 0 && len(suspects) < maxSuspects {
			suspects = append(suspects, root)
		}
	}
	found := make([][]Cause, len(suspects))
	kustomization.Offline(func() {
		parallel.Do(ctx, len(suspects), func(i int) { found[i] = b.causes(ctx, suspects[i]) })
	})
	all := slices.Concat(found...)
	nameRoots(all)
	return all, ctx.Err()
}

// wrong returns the workloads of a root that are not as declared.
func wrong(root *Root) []*outcome.Workload {
	verified := root.Run.Verified()
	var all []*outcome.Workload
	for i, w := range verified.Workloads {
		if w.Failed() {
			all = append(all, root.Run.Workloads[i])
		}
	}
	return all
}

func (b Builder) causes(ctx context.Context, root *Root) []Cause {
	steps := b.Disk.Contents(root.Dir).Steps
	t := trial{Builder: b, ctx: ctx, root: root, steps: steps, known: map[int]map[finding.Object]bool{}}
	var all []Cause
	for _, w := range wrong(root) {
		if len(steps) == 0 || !t.isRightWith(0, w.Object) {
			continue // its files are not as declared, either
		}
		right := 0
		tooMany := len(steps)
		for tooMany-right > 1 && len(t.known) < maxTrials {
			if middle := (right + tooMany) / 2; t.isRightWith(middle, w.Object) {
				right = middle
			} else {
				tooMany = middle
			}
		}
		if tooMany-right == 1 {
			all = append(all, Cause{Root: root, Workload: w, Finding: b.describe(w, steps[right])})
		}
	}
	return all
}

// trial builds a root with a part of its steps.
type trial struct {
	Builder
	ctx   context.Context
	root  *Root
	steps []kustomization.Step
	known map[int]map[finding.Object]bool // which workloads are right, by the number of steps; see whole
}

// whole stands for all workloads of a build.
var whole finding.Object

// isRightWith reports whether a workload is as declared with the first steps. If there is none of its name, because a
// step renames it, all workloads have to be.
func (t *trial) isRightWith(count int, object finding.Object) bool {
	right, isKnown := t.known[count]
	if !isKnown {
		right = map[finding.Object]bool{}
		t.known[count] = right
		text, err := t.Disk.BuildUpTo(t.root.Dir, t.steps, count)
		if err != nil {
			return false
		}
		result, err := t.apply(t.ctx, t.root, text)
		if err != nil {
			return false
		}
		right[whole] = true
		for _, w := range result.Run.Verified().Workloads {
			right[w.Object] = isRight(w)
			right[whole] = right[whole] && !w.Failed()
		}
	}
	if isRight, isThere := right[object]; isThere {
		return isRight
	}
	return right[whole]
}

// nameRoots puts the roots that have the same cause into its message.
func nameRoots(all []Cause) {
	type key struct {
		file finding.File
		text string
	}
	keyOf := func(c Cause) key { return key{*c.Finding.File, c.Finding.Message} }
	roots := map[key][]string{}
	for _, c := range all {
		if named := roots[keyOf(c)]; !slices.Contains(named, c.Root.Dir) {
			roots[keyOf(c)] = append(named, c.Root.Dir)
		}
	}
	for i, c := range all {
		all[i].Finding.Message = strings.Replace(c.Finding.Message, rootsMark, whoBuilds(roots[keyOf(c)]), 1)
	}
}
