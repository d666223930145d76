package engine

import (
	"context"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/config/selection"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/pods/maker"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/work/parallel"
)

// visited is an item, and what became of it if it was processed already.
type visited struct {
	item   *manifest.Item // nil if nothing needs it any more
	result *processed     // nil for most items that are no workloads
	isDone bool
}

// visits returns items that are not processed yet.
func visits(items []*manifest.Item) []visited {
	all := make([]visited, len(items))
	for i, item := range items {
		all[i].item = item
	}
	return all
}

// needsNoMore reports whether nothing needs an item any more that was processed: there is nothing to say about it, and
// it says nothing about others.
func (r *run) needsNoMore(one *visited) bool {
	if one.result != nil {
		return one.result.isCurrent()
	}
	isNamed := r.namesOthers && provides(one.item).kind != ""
	return !isNamed && !selection.Informs(one.item.APIVersion, one.item.Kind)
}

// forget drops the item and its text.
func (v *visited) forget() {
	v.item = nil
	if v.result != nil {
		v.result.workload.Before = nil
	}
}

// inject takes all items through the steps.
func inject(ctx context.Context, items []*manifest.Item, config Config) (outcome.Run, error) {
	for _, item := range items {
		config.bytes += len(item.Text)
	}
	run, findings := prepare(items, config)
	return run.injectAll(ctx, visits(items), findings)
}

// injectAll takes all items that are not done through the steps, on all cores. The result does not depend on their
// timing. If there is any error finding, everything is held back, except that a config that keeps going writes what is
// not refused. The error means that the context has ended.
func (r *run) injectAll(ctx context.Context, all []visited, findings []finding.Finding) (outcome.Run, error) {
	parallel.Do(ctx, len(all), func(i int) {
		if !all[i].isDone && !r.meter.Exceeded() {
			all[i].result = r.process(all[i].item)
		}
	})
	if err := ctx.Err(); err != nil {
		return outcome.Run{}, err
	}
	if r.meter.Exceeded() {
		return r.stopped(), nil
	}
	result := outcome.Run{
		Level:     level(r.injectors),
		General:   findings,
		KeepGoing: r.keepGoing,
		Workloads: make([]*outcome.Workload, 0, len(all)),
	}
	unknown := make([]*unknownKind, 0, len(all)) // by the index of the workload
	for i := range all {
		p := all[i].result
		if p == nil {
			continue
		}
		if p.workload != nil {
			p.workload.Index = i
			result.Workloads = append(result.Workloads, p.workload)
			unknown = append(unknown, p.unknown)
		}
		if p.leftAlone != nil {
			result.LeftAlone = append(result.LeftAlone, *p.leftAlone)
		}
		result.General = append(result.General, p.findings...)
		addElsewhere(&result, p.elsewhere)
	}
	maker.Resolve(result.Makers, result.Sources)
	r.describeUnknownKinds(result.Workloads, unknown)
	result.General = append(result.General, r.missingNamespaces(result)...)
	if !r.isPart {
		result.General = append(result.General, r.checkExpectations(result, all)...)
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
	result.General = append(result.General, r.missingReferences(result, all)...)
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
