package engine

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/meter"
	"pillion.dev/pillion/internal/payload"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/resources"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/transformers"
)

// transform adds one injector's payload to the version under change.
func (p *pod) transform(m *member) {
	if !p.work.run.meter.Charge(meter.PerInjection + len(p.injections)*meter.PerEarlier + len(p.work.item.Text)) {
		return
	}
	before := p.version().Snapshot()
	applied := p.payloadPod(p.ownVersion())
	findings := p.applyTo(applied, m, before)
	p.work.added = applied.Room.Taken()
	if applied.MayKeep() {
		p.kept = append(p.kept, kept{m, applied})
	}
	did := injection{by: m, before: before, owners: len(p.owners().all), failed: finding.HasError(findings)}
	p.injections = append(p.injections, did)
	s, was := p.record(m, applied), stamp.NewView(before.Node)
	if len(p.owners().all) > 0 {
		findings = append(findings, p.conflicts(m, s, applied.Wishes(), was, stamp.NewView(applied.Node))...)
	}
	p.reportAll(m, findings)
	if finding.HasError(findings) {
		return
	}
	shared := p.shared(s, was)
	p.addOutside(m, s, before.Node, applied)
	s.KeepLayouts(p.stamps.stamps[m.key])
	s.Asked = !s.Empty() && p.candidate.Waits(m.injector.Name)
	did.stamp, did.shared, did.has = s, shared, applied.Has
	p.injections[len(p.injections)-1] = did
	if m != p.plan.inject[len(p.plan.inject)-1] {
		p.owners().add(owner{injector: m.injector.Name, stamp: s, isOfRun: true, finds: finds(applied.Wishes())})
	}
}

// shared returns what of a stamp others had put in already.
func (p *pod) shared(s *stamp.Stamp, before *stamp.View) map[stamp.Thing]bool {
	if len(p.owners().all) == 0 {
		return nil
	}
	all := map[stamp.Thing]bool{}
	for _, at := range s.Things() {
		if len(p.owners().adds[at]) > 0 && before.At(at.Path, at.Key) != nil {
			all[at] = true
		}
	}
	return all
}

// addOutside adds to a stamp what transformers did, for this injector and for the one before it.
func (p *pod) addOutside(m *member, s *stamp.Stamp, before *yaml.Node, applied *payload.Pod) {
	if len(p.work.run.before)+len(p.work.run.after) == 0 {
		return
	}
	if p.outside != nil {
		s.AddOutside(p.outside, applied.Node)
	}
	did := p.hashes(m).Record(before, applied.Node, p.written)
	p.outside = s.AddOutside(did, applied.Node)
}

// apply adds a payload to a pod template, which must be safe to change. The values of the payload's variables come from the
// template seen.
func (p *pod) apply(m *member, to, seen podtemplate.Template) (*payload.Pod, []finding.Finding) {
	applied := p.payloadPod(to)
	return applied, p.applyTo(applied, m, seen)
}

// applyTo adds a payload to a pod template that the payload knows already.
func (p *pod) applyTo(applied *payload.Pod, m *member, seen podtemplate.Template) []finding.Finding {
	in, findings := m.injector.For(p.subject(seen))
	if finding.HasError(findings) {
		return findings
	}
	r := p.work.run
	if len(in.PodMetadata)+len(r.before)+len(r.after) > 0 { // nothing else changes labels
		applied.SelectorLabels, applied.LabelsAreSelector = p.selectorLabels()
	}
	return append(findings, payload.Apply(applied, in, r.before, r.after)...)
}

// payloadPod returns a pod template as the payload needs it.
func (p *pod) payloadPod(to podtemplate.Template) *payload.Pod {
	return &payload.Pod{
		Pod:            transformers.Pod{Node: to.Node, Path: to.Path, Object: p.work.result.Object, Finishes: p.candidate.Finishes()},
		Knative:        p.work.kind.Knative,
		Partial:        p.work.kind.Optional,
		ClaimTemplates: podtemplate.ClaimTemplates(p.work.original),
		Owners:         podOwners{p},
		Placed:         &p.placed,
		JoinedByOthers: p.owners().joined,
		GrownByOthers:  p.owners().grown,
		Room:           p.work.room(),
	}
}

// templateOf returns the pod template that a payload was added to.
func templateOf(applied *payload.Pod) podtemplate.Template {
	return podtemplate.Template{Path: applied.Path, Node: applied.Node}
}

// selectorLabels returns the keys of the labels that the workload's selector uses. If the API server uses the labels of the pod
// template as the selector, only those count that no injector added.
func (p *pod) selectorLabels() (keys []string, areAll bool) {
	object := &p.work.result.Object
	if !p.template.LabelsAreSelector(p.work.original, object.APIVersion, object.Kind) {
		return p.template.SelectorLabels(p.work.original), false
	}
	return node.Keys(node.Get(p.pristine(), "metadata", "labels")), true
}

// hashes returns the hashes of what an injector adds to the pod.
func (p *pod) hashes(m *member) stamp.Hashes {
	hashes := m.hashes
	hashes.Declared = p.declared(m)
	return hashes
}

// joinedParts returns what an injector joined to variables as its stamp records it.
func joinedParts(env payload.JoinedEnv) []stamp.Joined {
	var all []stamp.Joined
	for v, parts := range env {
		for _, p := range parts {
			all = append(all, stamp.Joined{Variable: stamp.Variable(v.List, v.Container, v.Name), Separator: p.Separator, Part: p.Part})
		}
	}
	return all
}

// addInside notes what an injector joined to variables of the app, and which resources of the pod itself it added something to.
func (o *owners) addInside(s *stamp.Stamp) {
	for _, j := range s.JoinedParts() {
		steps := stamp.Steps(j.Variable.Path)
		variable := payload.EnvVar{List: steps[1], Container: steps[2], Name: j.Variable.Key}
		o.joined.Add(variable, payload.JoinedPart{Part: j.Part, Separator: j.Separator})
	}
	for _, t := range s.GrownThings() {
		if o.grown == nil {
			o.grown = map[payload.PodResource]bool{}
		}
		o.grown[payload.PodResource{List: stamp.ThingAt(t.Path).Key, Name: t.Key}] = true
	}
}

// grown returns what an injector added to the resources of the pod itself as its stamp records it.
func grown(by payload.Growth) map[stamp.Thing]string {
	all := map[stamp.Thing]string{}
	for r, amount := range by {
		all[stamp.PodResource(r.List, r.Name)] = resources.Format(r.Name, amount)
	}
	return all
}
