package overlay

import (
	"context"
	"slices"
	"strings"

	"pillion.dev/pillion/decision"
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
	if len(steps) == 0 {
		return nil
	}
	t := trial{Builder: b, ctx: ctx, root: root, steps: steps, known: map[int]states{}}
	built := statesOf(root.Run)
	var all []Cause
	for _, w := range wrong(root) {
		before := t.stateWith(0, w.Object)
		if built[w.Object] <= before {
			continue // its files are not as declared, either
		}
		asBefore := 0
		worse := len(steps)
		for worse-asBefore > 1 && len(t.known) < maxTrials {
			if middle := (asBefore + worse) / 2; t.stateWith(middle, w.Object) <= before {
				asBefore = middle
			} else {
				worse = middle
			}
		}
		if worse-asBefore == 1 {
			all = append(all, Cause{Root: root, Workload: w, Finding: b.describe(w, steps[asBefore])})
		}
	}
	return all
}

// state is how a workload has its sidecars. A larger one is worse.
type state int

const (
	isRight state = iota // as they are declared
	isOlder              // as an older config declared them
	isWrong
)

// states are those of the workloads of a build, and the worst one as that of whole.
type states map[finding.Object]state

// whole stands for all workloads of a build.
var whole finding.Object

func statesOf(run outcome.Run) states {
	run.AcceptsOlder = true
	all := states{}
	for _, w := range run.Verified().Workloads {
		made := w.Decision()
		switch {
		case w.Failed() || made == decision.Skipped:
			all[w.Object] = isWrong
		case made == decision.Outdated:
			all[w.Object] = isOlder
		default:
			all[w.Object] = isRight
		}
		if made != decision.Skipped {
			all[whole] = max(all[whole], all[w.Object])
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
	known map[int]states // by the number of steps
}

// stateWith returns the state of a workload with the first steps. If there is none of its name, because a step renames
// it, that is the worst of all.
func (t *trial) stateWith(count int, object finding.Object) state {
	all, isKnown := t.known[count]
	if !isKnown {
		all = t.build(count)
		t.known[count] = all
	}
	if is, isThere := all[object]; isThere {
		return is
	}
	return all[whole]
}

// build returns the states with the first steps.
func (t *trial) build(count int) states {
	failed := states{whole: isWrong}
	text, err := t.Disk.BuildUpTo(t.root.Dir, t.steps, count)
	if err != nil {
		return failed
	}
	result, err := t.apply(t.ctx, t.root, text)
	if err != nil {
		return failed
	}
	return statesOf(result.Run)
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
