package engine

import (
	"maps"
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/apply"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/outcome"
	pods "pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/selection"
	"pillion.dev/pillion/internal/stamp"
)

// decide makes the plan for the pod template, and reports why injectors leave it alone.
func (p *pod) decide() {
	stamps := maps.Clone(p.stamps.stamps)
	p.plan, p.placed = plan{}, apply.Placed{}
	var skipped skips
	for _, m := range p.work.run.members {
		if !p.work.run.meter.Charge(m.selection.Steps(p.candidate.Object.Name)) {
			return
		}
		had := stamps[m.key]
		if had != nil && had.Requested {
			p.candidate.Waited = append(p.candidate.Waited, m.injector.Name)
		}
		d := m.selection.Decide(&p.candidate)
		removes := m.removes()
		o := &p.work.outcomes[m.index]
		o.Matched = o.Matched || removes && had != nil || !removes && d.Matched
		o.LacksNamespace = o.LacksNamespace || usesSelection(m.injector, had) && m.selection.LacksNamespace(&p.candidate, d)
		switch {
		case p.stamps.broken[m.key] != nil && !m.injector.Paused:
			p.report(m, stampBroken(m.key, p.stamps.broken[m.key], p.annotation(m.key)))
		case leavesAlone(m.injector, d, had):
			o.HasSidecar = o.HasSidecar || had != nil
			p.leaveAlone(m, &skipped, d, had != nil)
		case p.template.Broken != nil && (had != nil || !removes || m.injector.Spec.Adopt):
			p.report(m, brokenTemplate(p.template, p.podSpec(), p.work.item.File))
		case removes && len(p.stamps.refused[m.key]) > 0:
			p.reportAll(m, p.stamps.refused[m.key])
		case removes && had == nil:
			p.reportNothingToRemove(m)
		case removes:
			p.takeOut(m, finding.Removed, isRemoved)
		case d.Inject:
			p.plan.inject = append(p.plan.inject, m)
			o.Decision, o.HasSidecar = outcome.Stronger(o.Decision, outcome.Unchanged), true
		default:
			if d.Severity != finding.Info {
				p.report(m, p.notInjected(d))
			}
			p.takeOut(m, d.Code, d.Message(&p.candidate))
		}
		if had != nil && (slices.Contains(p.plan.inject, m) || slices.Contains(p.plan.remove, m)) {
			p.plan.undo = append(p.plan.undo, p.owner(m.key, had))
			delete(stamps, m.key)
		}
	}
	p.plan.others, p.knowsOwners = p.ownersOf(stamps), false
	p.reportSkips(skipped)
}

// usesSelection reports whether it matters to an injector which pod templates it selects: a removal depends on stamps.
func usesSelection(in *injector.Injector, had *stamp.Stamp) bool {
	return !in.Paused && (in.Spec.Action != v1alpha1.Remove || had == nil && in.Spec.Adopt)
}

// takeOut plans to remove what an injector added.
func (p *pod) takeOut(m *member, reason finding.Code, why string) {
	p.plan.remove = append(p.plan.remove, m)
	if o := &p.work.outcomes[m.index]; o.Why == "" {
		o.Reason, o.Why = reason, why
	}
}

// leavesAlone reports whether an injector leaves a pod template as it is, with what it had added before. If the injector is
// to be removed, its stamp decides; without a stamp, only a pod template that would be injected is searched.
func leavesAlone(in *injector.Injector, d *selection.Decision, had *stamp.Stamp) bool {
	if in.Spec.Action == v1alpha1.Remove {
		return in.Paused || had == nil && in.Spec.Adopt && !d.Inject
	}
	return !d.Inject && (had == nil || !isCertain(d, in))
}

// isCertain reports whether a decision against an injection is certain enough to remove a sidecar.
func isCertain(d *selection.Decision, in *injector.Injector) bool {
	switch d.Code {
	case finding.NamespaceLabelsUnknown, finding.NamespaceUnknown, finding.MarkerUnclear:
		return false
	}
	return !in.Paused && d.Severity != finding.Error
}

// leaveAlone reports why an injector leaves a pod template as it is, or adds it to those that are skipped as expected.
func (p *pod) leaveAlone(m *member, skipped *skips, d *selection.Decision, had bool) {
	if m.injector.Spec.Stamp == v1alpha1.StampNone && !m.injector.Paused {
		p.reportUnstamped(m, finding.Info, stampIsNone)
	}
	if o := &p.work.outcomes[m.index]; o.Reason == "" {
		o.Reason = d.Code
	}
	stays := had && (!m.injector.Paused || d.Code != finding.Paused)
	if !stays && d.Severity == finding.Info {
		skipped.add(m, d.Code)
		return
	}
	f := p.notInjected(d)
	switch {
	case stays && m.injector.Paused:
		f.Code, f.Message = finding.Paused, pausedMessage(f.Message)
	case stays:
		f.Message += staysInjected
	}
	p.report(m, f)
}

// notInjected returns the finding of a decision against an injection.
func (p *pod) notInjected(d *selection.Decision) finding.Finding {
	f := finding.Finding{Severity: d.Severity, Code: d.Code, Message: d.Message(&p.candidate), Field: p.podSpec()}
	if d.Field != "" {
		f.Field.Path = d.Field
	}
	return f
}

// reportNothingToRemove reports a pod template without a stamp of an injector that is to be removed.
func (p *pod) reportNothingToRemove(m *member) {
	spec := m.injector.Spec
	switch {
	case p.reportUnstamped(m, finding.Warning, hasNoStamp):
	case spec.Stamp == v1alpha1.StampNone && !spec.Adopt:
		p.report(m, newFinding(finding.Warning, finding.Unstamped, p.podSpec(), mayHaveBeenInjected))
	default:
		p.report(m, nothingToRemove(spec.Adopt, p.podSpec()))
	}
	if o := &p.work.outcomes[m.index]; o.Reason == "" {
		o.Reason = o.Findings[len(o.Findings)-1].Code
	}
}

// reportUnstamped reports the first container with a name of the payload, which has no stamp of the injector, and returns whether
// there is one. What another injector of the run added is left to that one.
func (p *pod) reportUnstamped(m *member, severity finding.Severity, why string) bool {
	for _, list := range pods.ContainerLists {
		left := map[string]bool{} // a hostile pod has the same name many times
		for _, name := range namesIn(p.template, list) {
			if !m.injector.Has(name) || left[name] {
				continue
			}
			owner := p.stampOf("spec/"+list, name)
			if left[name] = p.work.run.owners[owner] != nil; left[name] {
				continue
			}
			if owner != "" {
				why = addedByOther(stamp.NameOf(owner))
			}
			p.report(m, unstamped(severity, name, why, p.podSpec()))
			return true
		}
	}
	return false
}

// stampOf returns the key of a stamp that has the thing of a key at a path, or "".
func (p *pod) stampOf(path, thing string) string {
	for _, key := range sortedKeys(p.stamps.stamps) {
		if p.stamps.stamps[key].Adds(path, thing) {
			return key
		}
	}
	return ""
}

// skips are injectors that are not for a pod template, by reason.
type skips []skip

// skip is one reason. It keeps only the injectors that a message may name, because most of a hundred skip each pod.
type skip struct {
	code  finding.Code
	count int
	first [manyInjectors - 1]*member
}

// If at least manyInjectors share a reason, it is reported once for all of them: a hundred equal findings about each of a
// thousand pods help nobody.
const manyInjectors = 5

func (s *skips) add(m *member, code finding.Code) {
	for i := range *s {
		if (*s)[i].code == code {
			(*s)[i].add(m)
			return
		}
	}
	*s = append(*s, skip{code: code, count: 1, first: [manyInjectors - 1]*member{m}})
}

func (s *skip) add(m *member) {
	if s.count < len(s.first) {
		s.first[s.count] = m
	}
	s.count++
}

func (p *pod) reportSkips(all skips) {
	for i := range all {
		s := &all[i]
		if s.count >= manyInjectors {
			p.reportGeneral(skippedByMany(s, p.podSpec()))
			continue
		}
		for _, m := range s.first[:s.count] {
			p.report(m, p.notInjected(m.selection.Decide(&p.candidate))) // decided again, because few decisions are needed
		}
	}
}
