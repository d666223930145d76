package engine

import (
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/apply"
	"pillion.dev/pillion/internal/core/ledger"
	"pillion.dev/pillion/internal/core/stamp"
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
	hasOthers := p.owners().Count() > 0
	alone := before // the app, without what others have put in
	target := p.ownVersion()
	if hasOthers {
		alone.Node = p.appTemplate()
		target = alone.Snapshot(&p.workload.memory.clones)
		p.workload.memory.clones.Own(target.Node, "spec")
	}
	applied := p.payloadPod(target)
	if hasOthers {
		applied.App = alone.Node
	}
	findings := p.applyTo(applied, m, before)
	p.workload.added = applied.Room.Taken()
	if applied.MayWarn() {
		p.lateWarnings = append(p.lateWarnings, lateWarnings{m, applied})
	}
	did := injection{by: m, before: before, owners: p.owners().Count(), failed: finding.HasError(findings)}
	p.injections = append(p.injections, did)
	own := p.ledgerOf(m, applied)
	s := own.Stamp
	p.addOutside(m, s, alone.Node, applied) // before the clashes: others may want it in another form
	if hasOthers {
		was := p.workload.newView(before.Node)
		wanted := p.workload.newView(applied.Node)
		did.shared = p.shared(s, was)
		versions := ledger.Versions{Before: was, Alone: wanted, IsLive: p.workload.run.isLive}
		findings = append(findings, p.conflicts(p.owners().Clashes(own, versions))...)
		if !finding.HasError(findings) {
			findings = append(findings, applied.Put(p.ownVersion().Node, wanted)...)
		}
	}
	findings = append(findings, p.kindLimits(s)...)
	p.reportAll(m, findings)
	if finding.HasError(findings) {
		return
	}
	s.CopyLayouts(p.stamps.stamps[m.key])
	did.stamp = s
	did.has = applied.Has
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

// addOutside adds to a stamp what transformers did, for this injector and for the one before it.
func (p *pod) addOutside(m *runInjector, s *stamp.Stamp, before *node.Node, applied *apply.Pod) {
	if len(p.workload.run.before)+len(p.workload.run.after) == 0 {
		return
	}
	if p.outside != nil {
		s.AddOutside(p.outside, applied.Node)
	}
	p.outside = s.AddOutside(p.hashes(m).Record(before, applied.Node, p.written), applied.Node)
}

// applyTo adds a payload to a pod template, which must be safe to change. The values of the payload's variables come
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
	applied.Positions = &p.positions
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
