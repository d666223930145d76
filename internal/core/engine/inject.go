package engine

import (
	"context"
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/work/parallel"
)

// inject takes all items through the steps, on all cores. The result does not depend on their timing. If there is any
// error finding, everything is held back, except that a config that keeps going writes what is not refused. The error
// means that the context has ended.
func inject(ctx context.Context, items []*manifest.Item, config Config) (outcome.Run, error) {
	run, findings := prepare(items, config)
	return run.injectAll(ctx, items, findings)
}

// injectAll is like inject, for a run that was prepared. Items that it has visited are processed already.
func (r *run) injectAll(ctx context.Context, items []*manifest.Item, findings []finding.Finding) (outcome.Run, error) {
	all := make([]*processed, len(items))
	parallel.Do(ctx, len(items), func(i int) {
		var isVisited bool
		if all[i], isVisited = items[i].Visited.(*processed); !isVisited && !r.meter.Exceeded() {
			all[i] = r.process(items[i])
		}
		if all[i] != nil && all[i].workload != nil {
			all[i].workload.Index = i
		}
	})
	if err := ctx.Err(); err != nil {
		return outcome.Run{}, err
	}
	if r.meter.Exceeded() {
		return r.stopped(), nil
	}
	all = slices.DeleteFunc(all, func(p *processed) bool { return p == nil })
	result := outcome.Run{
		Level:     level(r.injectors),
		General:   findings,
		KeepGoing: r.keepGoing,
		Workloads: make([]*outcome.Workload, 0, len(all)),
	}
	unknown := make([]*unknownKind, 0, len(all)) // by the index of the workload
	for _, p := range all {
		if p.workload != nil {
			result.Workloads = append(result.Workloads, p.workload)
			unknown = append(unknown, p.unknown)
		}
		if p.leftAlone != nil {
			result.LeftAlone = append(result.LeftAlone, *p.leftAlone)
		}
		result.General = append(result.General, p.findings...)
	}
	r.describeUnknownKinds(result.Workloads, unknown)
	result.General = append(result.General, r.missingNamespaces(result)...)
	if !r.isPart {
		result.General = append(result.General, r.checkExpectations(result, items)...)
	}
	if r.meter.Exceeded() {
		return r.stopped(), nil
	}
	result.Steps = r.meter.Used()
	if r.verifies() {
		result = result.Verified()
	}
	if !result.Writes() {
		return result.HoldBack(), nil
	}
	result.General = append(result.General, r.missingReferences(result, items, all)...)
	return result, nil
}

// stopped returns the result of a run that took too much work. Nothing of what it made is used.
func (r *run) stopped() outcome.Run {
	return outcome.Run{
		General: []finding.Finding{tooMuchWork(r.meter.Limit())},
		Level:   level(r.injectors),
		Steps:   r.meter.Used(),
	}
}

// level returns the lowest severity that any of the injectors reports.
func level(injectors []*injector.Injector) finding.Severity {
	lowest := finding.Error
	for _, in := range injectors {
		switch in.Spec.Report {
		case v1alpha1.ReportInfo:
			return finding.Info
		case v1alpha1.ReportWarning:
			lowest = finding.Warning
		}
	}
	return lowest
}
