package engine

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/check"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/selection"
	"pillion.dev/pillion/transformers"
)

// inject brings the injectors' sidecars into the items. It returns the new text of the items
// that changed, by index, and the report. Items are worked on side by side; nothing that is
// said or written depends on their timing.
func inject(ctx context.Context, items []manifest.Item, injectors []*injector.Injector) (map[int][]byte, Report, error) {
	r := Report{level: level(injectors)}
	run, said := prepare(items, injectors)
	r.Findings = said
	outcomes := make([]outcome, len(items))
	inParallel(ctx, len(items), func(i int) { outcomes[i] = run.item(items[i]) })
	if err := ctx.Err(); err != nil {
		return nil, Report{}, err
	}
	r.outcomes = outcomes

	changed := map[int][]byte{}
	tallies := make([]tally, len(injectors))
	once := sayOnce{}
	for i, o := range outcomes {
		r.Findings = append(r.Findings, once.filter(o.findings)...)
		o.count(&r.Counts)
		if o.text != nil {
			changed[i] = o.text
		}
		for _, which := range o.matched {
			tallies[which].matches++
		}
		for _, s := range o.skipped {
			tallies[s.which].skip(s.code, i)
		}
	}
	r.Findings = append(r.Findings, run.expectations(tallies, items, r)...)
	r.Cost = costOf(outcomes)
	if !r.Failed() {
		r.Findings = append(r.Findings, run.references(ctx, tallies, items)...)
		if line := r.Cost.String(); line != "" { // for who reads results
			r.Findings = append(r.Findings, Finding{Severity: Info, Code: finding.Cost, Message: line})
		}
	}
	return changed, r, ctx.Err()
}

// run is what all items of a run are held against.
type run struct {
	injectors  []*injector.Injector
	selections []*selection.Selection
	webhooks   [][]check.Asked // those whose sidecars each injector brings
	around     selection.Surroundings
	kinds      podtemplate.Kinds
	brought    *transformers.Brought
	varies     bool // whether what is brought differs from pod to pod
}

func prepare(items []manifest.Item, injectors []*injector.Injector) (*run, []Finding) {
	var said []Finding
	around, broken := observe(items)
	if broken != nil {
		said = append(said, *broken)
	}
	r := &run{
		injectors: injectors, around: around, brought: transformers.BroughtBy(injectors...),
		varies: slices.ContainsFunc(injectors, (*injector.Injector).Varies),
	}
	declared := make([][]v1alpha1.Workload, 0, len(injectors))
	for _, in := range injectors {
		declared = append(declared, in.Spec.Workloads)
		s, err := selection.New(in, around)
		if err != nil {
			said = append(said, Finding{Severity: Error, Code: finding.InvalidConfig, Message: err.Error(), Injector: in.Name})
			continue
		}
		r.selections = append(r.selections, s)
		r.webhooks = append(r.webhooks, webhooksOf(in))
	}
	r.kinds = podtemplate.NewKinds(declared...)
	if finding.HasError(said) {
		r.injectors, r.selections = nil, nil
	}
	return r, said
}

// observe reads what the stream says about its workloads' surroundings.
func observe(items []manifest.Item) (selection.Surroundings, *Finding) {
	var around selection.Surroundings
	for _, item := range items {
		if !selection.Informs(item.APIVersion, item.Kind) {
			continue
		}
		_, object, err := item.Parse()
		if err == nil {
			err = around.Observe(object)
		}
		if err != nil {
			broken := unreadableItem(item, err)
			return around, &broken
		}
	}
	return around, nil
}

// inParallel calls do for 0 to n-1 on all cores, until the context ends.
func inParallel(ctx context.Context, n int, do func(int)) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	workers.Wait()
}
