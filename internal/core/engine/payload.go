package engine

import (
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/apply"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/core/version"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/work/meter"
)

// addPayload adds one injector's payload to the version under change.
func (p *pod) addPayload(m *runInjector) {
	if !p.workload.run.meter.Charge(meter.PerInjection + len(p.injections)*meter.PerEarlier + len(p.workload.item.Text)) {
		return
	}
	before := p.version().Snapshot(&p.workload.memory.clones)
	app := before
	app.Node = p.appTemplate()
	applied := p.payloadPod(app)
	findings := p.applyTo(applied, m, before)
	p.workload.added = applied.Room.Taken()
	if applied.MayWarn() {
		p.lateWarnings = append(p.lateWarnings, lateWarnings{m, applied})
	}
	did := injection{by: m, before: before, owners: p.owners().Count(), failed: finding.HasError(findings)}
	p.injections = append(p.injections, did)
	own := p.ledgerOf(m, applied)
	s := own.Stamp
	if p.owners().Count() > 0 {
		was := p.workload.newView(before.Node)
		did.shared = p.shared(s, was)
		findings = append(findings, p.conflicts(p.owners().Clashes(own, was, p.workload.run.isLive))...)
	}
	if !finding.HasError(findings) {
		findings = append(findings, p.versionToChange().With(own.Entries)...)
	}
	findings = append(findings, p.kindLimits(own)...)
	p.reportAll(m, findings)
	if finding.HasError(findings) {
		return
	}
	s.CopyLayouts(p.stamps.stamps[m.key])
	did.stamp = s
	did.has = applied.Has
	p.placed = version.AppendPlaced(p.placed, own.Entries)
	p.injections[len(p.injections)-1] = did
	if m != p.todo.inject[len(p.todo.inject)-1] {
		p.owners().Add(own)
	}
}

// shared returns what of a stamp others had put in already.
func (p *pod) shared(s *stamp.Stamp, before *stamp.View) map[stamp.Address]bool {
	all := map[stamp.Address]bool{}
	for _, at := range s.Addresses() {
		if p.owners().Has(at) && before.At(at.Path, at.Key) != nil {
			all[at] = true
		}
	}
	return all
}

// versionToChange returns the version under change for what one more injector wants.
func (p *pod) versionToChange() version.Version {
	return version.Version{
		Template: p.ownVersion(),
		App:      p.appView(),
		Before:   p.viewBefore(),
		Owners:   p.owners(),
		Index:    &p.index,
		Clones:   &p.workload.memory.clones,
	}
}

// order puts the lists of the version in order, once all injectors have put in what they want.
func (p *pod) order() {
	if len(p.placed) == 0 {
		return
	}
	order := &version.Order{
		File:   p.viewBefore(),
		App:    p.appView(),
		Undone: p.todo.undo,
		Now:    p.stampsNow(),
		Others: p.todo.others,
	}
	p.versionToChange().Order(order, p.placed)
	p.index = version.Index{}
}

// stampsNow returns the stamps of what the injectors of the run put in.
func (p *pod) stampsNow() (all []stamp.Owner) {
	for _, injection := range p.injections {
		if injection.stamp != nil && !injection.stamp.Empty() {
			all = append(all, stamp.Owner{Key: injection.by.key, Stamp: injection.stamp})
		}
	}
	return all
}

// applyTo finds out what a payload wants of a pod template. The values of the payload's variables come
// from the template seen.
func (p *pod) applyTo(applied *apply.Pod, m *runInjector, seen pods.Template) []finding.Finding {
	plan, findings := p.planFor(m, p.subject(seen))
	if finding.HasError(findings) {
		return findings
	}
	applied.Before = seen.Node
	r := p.workload.run
	if len(m.injector.PodMetadata)+len(r.before)+len(r.after) > 0 { // nothing else changes labels
		applied.SelectorLabels, applied.LabelsAreSelector = p.selectorLabels()
	}
	return append(findings, apply.Apply(applied, plan, r.before, r.after)...)
}

// payloadPod returns a pod template as the payload needs it.
func (p *pod) payloadPod(to pods.Template) *apply.Pod {
	applied := p.workload.memory.applied.lend()
	applied.Reset()
	applied.Template = to
	applied.Object = p.workload.result.Object
	applied.Finishes = p.candidate.Finishes()
	applied.Kind = p.workload.kind
	applied.ClaimTemplates = pods.ClaimTemplates(p.workload.original)
	applied.AppView = p.appView()
	applied.Owners = p.owners()
	applied.Names = p
	applied.Index = &p.index
	applied.Earlier = p.placed
	applied.Room = p.workload.room()
	applied.Clones = &p.workload.memory.clones
	return applied
}

// selectorLabels returns the keys of the labels that the workload's selector uses. If the API server uses the labels of
// the pod template as the selector, only those count that no injector added.
func (p *pod) selectorLabels() (keys []string, areAll bool) {
	object := &p.workload.result.Object
	if !p.template.LabelsAreSelector(p.workload.original, object.APIVersion, object.Kind) {
		return p.template.SelectorLabels(p.workload.original), false
	}
	return node.Keys(node.Get(p.appTemplate(), "metadata", "labels")), true
}

// hashes returns the hashes of what an injector adds to the pod.
func (p *pod) hashes(m *runInjector) stamp.Hashes {
	hashes := m.hashes
	hashes.Declared = p.declared(m)
	return hashes
}

// planFor returns the plan of an injector for the pod.
func (p *pod) planFor(m *runInjector, subject injector.Subject) (*injector.Plan, []finding.Finding) {
	values, findings := m.injector.ValuesFor(subject)
	if finding.HasError(findings) {
		return m.plan, findings
	}
	return m.plan.With(values), findings
}
