package overlay

import (
	"context"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/edge/kustomization"
	"pillion.dev/pillion/internal/work/parallel"
)

const (
	// maxSuspects bounds the roots for which causes are searched: the first ones show what is wrong with the others.
	maxSuspects = 200
	// maxCauses bounds the workloads for which causes are searched, for each root.
	maxCauses = 3
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
	searches, err := b.search(ctx, roots, wrong)
	return causesOf(searches), err
}

// search compares workloads of roots with what they are without the steps, and looks for the steps that change them.
func (b Builder) search(
	ctx context.Context, roots []*Root, suspects func(*Root) []*outcome.Workload,
) ([]*search, error) {
	var searches []*search
	for _, root := range roots {
		if root.Err != nil {
			continue
		}
		if all := suspects(root); len(all) > 0 {
			searches = append(searches, &search{
				Builder:  b,
				ctx:      ctx,
				root:     root,
				suspects: all,
				isFirst:  len(searches) < maxSuspects,
			})
		}
	}
	kustomization.Offline(func() {
		parallel.Do(ctx, len(searches), func(i int) { searches[i].run() })
	})
	return searches, ctx.Err()
}

// causesOf returns the causes that searches have found.
func causesOf(searches []*search) []Cause {
	var all []Cause
	for _, s := range searches {
		all = append(all, s.causes...)
	}
	nameRoots(all)
	return all
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

// search finds out which workloads of a root have lost their sidecars by its steps.
type search struct {
	Builder
	ctx      context.Context
	root     *Root
	suspects []*outcome.Workload
	isFirst  bool // whether causes are searched

	steps  []kustomization.Step
	built  conditions
	known  map[int]conditions // by the number of steps
	causes []Cause
	// others are the workloads that have lost sidecars without a known cause.
	others []*outcome.Workload
	// err is why the root cannot be built without its steps.
	err error
}

func (s *search) run() {
	s.steps = s.Disk.Contents(s.root.Dir).Steps
	if len(s.steps) == 0 {
		return
	}
	s.built = s.conditionsIn(s.root.Run)
	s.known = map[int]conditions{len(s.steps): s.built}
	for _, w := range s.suspects {
		if !s.isWorseWith(len(s.steps), w) {
			continue // its files are not as declared, either
		}
		asBefore := 0
		worse := len(s.steps)
		isSearched := s.isFirst && len(s.causes) < maxCauses
		for isSearched && worse-asBefore > 1 && len(s.known) < maxTrials {
			if middle := (asBefore + worse) / 2; s.isWorseWith(middle, w) {
				worse = middle
			} else {
				asBefore = middle
			}
		}
		if worse-asBefore == 1 {
			s.causes = append(s.causes, Cause{Root: s.root, Workload: w, Finding: s.describe(w, s.steps[asBefore])})
		} else {
			s.others = append(s.others, w)
		}
	}
}

// isWorseWith reports whether a workload has a sidecar that is worse with the first steps than without any.
func (s *search) isWorseWith(count int, w *outcome.Workload) bool {
	before := s.with(0)
	after := s.with(count)
	for i := range s.Config.Injectors() {
		if at := (sidecar{w.Object, i}); after.of(at) < before.of(at) {
			return true
		}
	}
	return false
}

// with returns the conditions with the first steps. Without any steps, it notes why there are none.
func (s *search) with(count int) conditions {
	if all, isKnown := s.known[count]; isKnown {
		return all
	}
	var all conditions
	text, err := s.Disk.BuildUpTo(s.root.Dir, s.steps, count)
	if err == nil {
		var result engine.Result
		if result, err = s.apply(s.ctx, s.root, text); err == nil {
			all = s.conditionsIn(result.Run)
			all.setGone(s.built)
		}
	}
	if count == 0 {
		s.err = err
	}
	s.known[count] = all
	return all
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
