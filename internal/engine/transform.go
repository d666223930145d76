package engine

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/meter"
	"pillion.dev/pillion/internal/payload"
	pods "pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/transformers"
)

// transform adds one injector's payload to the version under change.
func (p *pod) transform(m *member) {
	if !p.work.run.meter.Charge(meter.PerInjection + len(p.made)*meter.PerEarlier + len(p.work.item.Text)*meter.PerByteRead) {
		return
	}
	before := p.version().Snapshot()
	applied, findings := p.apply(m, p.own(), before)
	p.work.added = applied.Room.Taken()
	if !finding.HasError(findings) && applied.Changed() {
		findings = append(findings, p.checkWhole(m, before, templateOf(applied))...)
	}
	stays := kept{by: m, seen: before, findings: applied.Kept(), ofApp: applied.Kept(), turn: len(p.made)}
	var s, own *stamp.Stamp
	if !finding.HasError(findings) {
		s = p.record(m, before.Node, applied)
	}
	if !p.isAlone(m) {
		own, stays.ofApp, findings = p.compareWithOthers(m, before, applied, s, findings)
	}
	if len(stays.findings)+len(stays.ofApp) > 0 || len(p.plan.inject) > 1 {
		p.kept = append(p.kept, stays)
	}
	p.reportAll(m, findings)
	if finding.HasError(findings) {
		return
	}
	shared := s.Share(own, applied.Node, p.hashes(m))
	s.MarkContainers(applied.PositionMark)
	s.KeepLayouts(p.before(m.key))
	s.Asked = !s.Empty() && p.candidate.Waits(m.injector.Name)
	p.made = append(p.made, made{by: m, seen: before, stamp: s, shared: shared, has: applied.Has})
}

// compareWithOthers returns what an injector would do to the pod template if there were no other, the warnings about values of the app
// that would stay then, and the findings about it with those about others. Did is the stamp of what it has done, or nil if the findings
// have errors.
func (p *pod) compareWithOthers(
	m *member, before podtemplate.Template, applied *payload.Pod, did *stamp.Stamp, findings []finding.Finding,
) (own *stamp.Stamp, ofApp, all []finding.Finding) {
	own, ofApp, refused := p.applyAlone(m, before)
	others := p.wishesOfOthers()
	conflicts := p.conflicts(m, own, others)
	if len(conflicts) == 0 && len(refused) == 0 {
		conflicts = p.overrides(m, others, before, applied, did)
		// It may have added something that a stamp of another injector names, and that somebody had deleted.
		if len(conflicts) == 0 && len(p.plan.others) > 0 {
			conflicts = p.conflicts(m, did, others)
		}
	}
	switch {
	case len(refused) == 0:
		findings = p.blameOthers(findings, len(conflicts) > 0)
	case !finding.HasError(findings):
		findings = append(findings, p.hiddenConflicts(refused)...)
	}
	return own, ofApp, append(findings, conflicts...)
}

// isAlone reports whether what an injector does to the pod template cannot depend on others: there is no other, or it is the
// first one and the pod template is pristine.
func (p *pod) isAlone(m *member) bool {
	if len(p.plan.others) > 0 {
		return false
	}
	return len(p.plan.inject) == 1 || m == p.plan.inject[0] && len(p.stamps.stamps) == 0
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
	return append(findings, p.addTo(applied, in)...)
}

// add adds the payload of an injector for this pod to a pod template, which must be safe to change.
func (p *pod) add(in *injector.Injector, to podtemplate.Template) (*payload.Pod, []finding.Finding) {
	applied := p.payloadPod(to)
	return applied, p.addTo(applied, in)
}

// addTo adds the payload of an injector for this pod.
func (p *pod) addTo(applied *payload.Pod, in *injector.Injector) []finding.Finding {
	r := p.work.run
	if len(in.PodMetadata)+len(r.before)+len(r.after) > 0 { // nothing else changes labels
		applied.SelectorLabels, applied.LabelsAreSelector = p.selectorLabels()
	}
	return payload.Apply(applied, in, r.before, r.after)
}

// payloadPod returns a pod template as the payload needs it.
func (p *pod) payloadPod(to podtemplate.Template) *payload.Pod {
	applied := &payload.Pod{
		Pod: transformers.Pod{
			Node:     to.Node,
			Path:     to.Path,
			Object:   p.work.result.Object,
			Finishes: p.candidate.Finishes(),
		},
		Knative:        p.work.kind.Knative,
		Partial:        p.work.kind.Optional,
		ClaimTemplates: podtemplate.ClaimTemplates(p.work.original),
		Origins:        p.origins(),
		Pristine:       p.pristine,
		JoinedByOthers: p.joinedByOthers(),
		GrownByOthers:  p.grownByOthers(),
		Room:           p.work.room(),
	}
	return applied
}

// templateOf returns the pod template that transformers changed.
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

// record returns the stamp of what an injector did. The changes of an injector without stamps come from an outline.
func (p *pod) record(m *member, before *yaml.Node, after *payload.Pod) *stamp.Stamp {
	record := p.hashes(m).Record
	if m.injector.Spec.Stamp != v1alpha1.StampAnnotation {
		record = p.hashes(m).Outline
	}
	var inside stamp.Inside
	if len(after.Joined)+len(after.Grown) > 0 {
		inside = stamp.Inside{Joined: joinedParts(after.Joined), Grown: grown(after.Grown), Pristine: stamp.NewView(p.pristine())}
	}
	return record(before, after.Node, p.written, inside)
}

// hashes returns the hashes of what an injector adds to the pod.
func (p *pod) hashes(m *member) stamp.Hashes {
	hashes := m.hashes
	hashes.Declared = p.declared(m)
	return hashes
}

// applyAlone returns what an injector would do to the pod template if there were no other, or the errors if it fails, and the warnings
// about values of the app that would stay.
func (p *pod) applyAlone(m *member, seen podtemplate.Template) (own *stamp.Stamp, ofApp, refused []finding.Finding) {
	before := p.template.In(p.work.pristineVersion().object)
	applied := p.payloadPod(before.Copy())
	applied.JoinedByOthers, applied.GrownByOthers = nil, nil // in the pristine template, the same elements are the app's
	findings := p.applyTo(applied, m, seen)
	refused = slices.DeleteFunc(findings, func(f finding.Finding) bool { return f.Severity != finding.Error })
	if len(refused) > 0 {
		return nil, applied.Kept(), refused
	}
	return p.record(m, before.Node, applied), applied.Kept(), nil
}

// origins returns what the injectors of the run add to the pod, and what those of other runs have added. If names hold variables,
// that differs from pod to pod.
func (p *pod) origins() *payload.Origins {
	r := p.work.run
	payloads, origins := r.injectors, r.origins
	if r.varies {
		payloads = payloadsFor(payloads, p.subject(p.template))
		origins = payload.NewOrigins(payloads...)
	}
	if len(p.plan.others) == 0 {
		return origins
	}
	var added []*injector.Injector
	for _, m := range p.plan.inject {
		added = append(added, payloads[m.index])
	}
	return origins.With(p.addedByOtherRuns(), added...)
}

// payloadsFor returns the injectors as they are for one pod.
func payloadsFor(injectors []*injector.Injector, subject injector.Subject) []*injector.Injector {
	payloads := make([]*injector.Injector, len(injectors))
	for i, in := range injectors {
		forPod, findings := in.For(subject)
		if finding.HasError(findings) {
			forPod = in // transform reports the error
		}
		payloads[i] = forPod
	}
	return payloads
}

// addedByOtherRuns returns what the stamps of other runs name.
func (p *pod) addedByOtherRuns() payload.OtherRuns {
	all := payload.OtherRuns{Containers: map[string]string{}}
	for _, other := range p.plan.others {
		for _, t := range other.Things() { // in order, because a forged stamp may name one container twice
			switch at := strings.Split(t.Path, "/"); {
			case stamp.IsContainers(t.Path):
				all.Containers[t.Key] = other.Added[t.Path][t.Key].Place
			case t.Path == volumesPath:
				all.Volumes = append(all.Volumes, t.Key)
			case len(at) == 4 && slices.Contains(pods.ContainerLists[:], at[1]):
				if entry := p.viewBefore().At(t.Path, t.Key); entry != nil && entry.Kind == yaml.MappingNode {
					all.Entries = append(all.Entries, payload.AppEntry{List: at[1], Container: at[2], Entry: entry})
				}
			}
		}
	}
	return all
}
