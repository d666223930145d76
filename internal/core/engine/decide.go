package engine

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/config/selection"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/core/stamp"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// decide returns what is to be done to the pod template, and reports why injectors leave it alone.
func (p *pod) decide() *change {
	c := p.newChange(nil)
	stamps := maps.Clone(p.stamps.stamps)
	var skipped []skip
	for _, m := range append(slices.Clip(p.workload.run.readyInjectors), p.workload.waiting...) {
		if !p.workload.run.meter.Charge(m.selection.Steps(p.candidate.Object.Name)) {
			return c
		}
		facts := p.gather(m, stamps[m.key])
		p.noteFacts(facts)
		if facts.isMeant() && slices.Contains(p.workload.waiting, m) {
			p.reportNotRolledOut(facts)
			continue
		}
		verdict := facts.judge()
		if verdict == leavesAlone && !p.leaveAlone(facts) {
			skipped = addSkip(skipped, m, facts.decision.Code)
		}
		c.act(facts, verdict)
		// What it added is undone first, and added anew, so that the result depends on the config alone.
		if isPlanned := verdict == injects || verdict == removes; isPlanned && facts.oldStamp != nil {
			c.todo.undo = append(c.todo.undo, p.owner(m.key, facts.oldStamp))
			delete(stamps, m.key)
		}
	}
	if c.workload.kind.IsRelease { // kustomize puts what a later entry adds in front
		slices.Reverse(c.todo.inject)
	}
	c.todo.others = p.ownersOf(stamps)
	p.reportSkips(skipped)
	return c
}

// facts are what is known about an injector and a pod template.
type facts struct {
	*runInjector
	decision  *selection.Decision
	oldStamp  *stamp.Stamp // nil if it has none
	isRemoval bool         // the run removes the injector
	isBroken  bool         // the pod template cannot be worked on
	stampErr  error        // why the stamp cannot be read
	refused   []finding.Finding
}

func (p *pod) gather(m *runInjector, oldStamp *stamp.Stamp) facts {
	return facts{
		runInjector: m,
		decision:    m.selection.Decide(&p.candidate),
		oldStamp:    oldStamp,
		isRemoval:   m.removes(),
		isBroken:    p.template.Broken != nil,
		stampErr:    p.stamps.broken[m.key],
		refused:     p.stamps.refused[m.key],
	}
}

// noteFacts notes in the outcome whether the injector is meant for the pod template.
func (p *pod) noteFacts(f facts) {
	o := &p.workload.outcomes[f.index]
	isMatched := f.decision.Matched
	if f.isRemoval {
		isMatched = f.oldStamp != nil
	}
	o.Matched = o.Matched || isMatched
	o.OptsOut = o.OptsOut || f.decision.OptsOut
	// Otherwise a stamp decides.
	isSelected := !f.injector.Paused && (!f.isRemoval || f.oldStamp == nil && f.injector.Spec.Adopt)
	o.LacksNamespace = o.LacksNamespace || isSelected && f.selection.LacksNamespace(&p.candidate, f.decision)
}

// verdict is what becomes of an injector and a pod template.
type verdict int

const (
	reportsStamp     verdict = iota // which cannot be read
	leavesAlone                     // as it is, with what the injector had added before
	reportsTemplate                 // which cannot be worked on
	refusesAdoption                 // of what the injector would have to remove
	hasNothingToGive                // to a removal
	removes                         // what it had added
	injects                         // what the config says
)

// judge decides what becomes of an injector and a pod template. The first answer counts.
func (f facts) judge() verdict {
	switch {
	case f.stampErr != nil && !f.injector.Paused:
		return reportsStamp
	case f.leavesAlone():
		return leavesAlone
	case f.isBroken && (f.oldStamp != nil || !f.isRemoval || f.injector.Spec.Adopt):
		return reportsTemplate
	case f.isRemoval && len(f.refused) > 0:
		return refusesAdoption
	case f.isRemoval && f.oldStamp == nil:
		return hasNothingToGive
	case !f.isRemoval && f.decision.Inject:
		return injects
	}
	return removes
}

// leavesAlone reports whether an injector leaves a pod template as it is, with what it had added before. If the
// injector is to be removed, its stamp decides; without a stamp, only a pod template that would be injected is
// searched.
func (f facts) leavesAlone() bool {
	if f.isRemoval {
		return f.injector.Paused || f.oldStamp == nil && f.injector.Spec.Adopt && !f.decision.Inject
	}
	return !f.decision.Inject && (f.oldStamp == nil || !isCertain(f.decision, f.injector))
}

// act reports what is to be said about a verdict, and plans what is to be done.
func (c *change) act(f facts, v verdict) {
	m := f.runInjector
	o := &c.workload.outcomes[m.index]
	switch v {
	case reportsStamp:
		c.reportBroken(m, f.stampErr)
	case leavesAlone:
		o.HasSidecar = o.HasSidecar || f.oldStamp != nil
	case reportsTemplate:
		c.reportTemplate(m)
	case refusesAdoption:
		c.reportAll(m, f.refused)
	case hasNothingToGive:
		c.reportNothingToRemove(m)
	case injects:
		c.todo.inject = append(c.todo.inject, m)
		o.Decision = outcome.Stronger(o.Decision, decision.Unchanged)
		o.HasSidecar = true
	case removes:
		c.actOnRemoval(f)
	}
}

// actOnRemoval plans to remove what an injector added, because the run removes it, or because it is not meant for the
// pod template any more.
func (c *change) actOnRemoval(f facts) {
	if f.isRemoval {
		c.takeOut(f.runInjector, finding.Removed, "the injector is being removed")
		return
	}
	if f.decision.Severity != finding.Info {
		c.report(f.runInjector, c.notInjected(f.decision))
	}
	c.takeOut(f.runInjector, f.decision.Code, f.decision.Message(&c.candidate))
}

// reportTemplate reports a pod template that cannot be worked on.
func (p *pod) reportTemplate(m *runInjector) {
	f := newFinding(finding.Error, finding.InvalidItem, p.podSpec(), "%v", p.template.Broken)
	if file := p.workload.item.File; file != "" && file != finding.Stdin && node.IsNull(p.template.Spec()) {
		f.Message += "; if the file is a patch for kustomize, " + p.workload.run.flagsOr(
			"give the kustomization that lists it as well (-f DIR -R), or leave the file out with --exclude",
			"leave it out")
	}
	p.report(m, f)
}

// takeOut plans to remove what an injector added.
func (c *change) takeOut(m *runInjector, reason finding.Code, why string) {
	c.todo.remove = append(c.todo.remove, m)
	if o := &c.workload.outcomes[m.index]; o.Why == "" {
		o.Reason = reason
		o.Why = why
	}
}

// isCertain reports whether a decision against an injection is certain enough to remove a sidecar.
func isCertain(d *selection.Decision, in *injector.Injector) bool {
	return !isUnclear(d) && !in.Paused && d.Severity != finding.Error
}

// isUnclear reports whether it depends on something that is not known that a pod template is not injected.
func isUnclear(d *selection.Decision) bool {
	switch d.Code {
	case finding.NamespaceLabelsUnknown, finding.NamespaceUnknown, finding.MarkerUnclear:
		return true
	}
	return false
}

// leaveAlone reports why an injector leaves a pod template as it is. It returns false if that is as expected, so that
// reportSkips does it.
func (p *pod) leaveAlone(facts facts) bool {
	m := facts.runInjector
	d := facts.decision
	if o := &p.workload.outcomes[m.index]; o.Reason == "" {
		o.Reason = d.Code
	}
	stays := facts.oldStamp != nil && (!m.injector.Paused || d.Code != finding.Paused)
	if !stays && d.Severity == finding.Info {
		return false
	}
	f := p.notInjected(d)
	switch {
	case stays && m.injector.Paused:
		f.Code = finding.Paused
		f.Message = "the injector is paused (spec.paused), so what it injected stays, although " + f.Message
	case stays:
		f.Message += "; what was injected before stays as it is"
		if isUnclear(d) {
			f.Severity = finding.Warning
		}
	}
	p.report(m, f)
	return true
}

func (p *pod) reportBroken(m *runInjector, err error) {
	problem := "is not valid"
	remedy := "restore it from version control, or remove it and set spec.adopt to true"
	if newer := (*stamp.NewerError)(nil); errors.As(err, &newer) {
		problem = "was written by a newer version of Pillion"
		remedy = "update Pillion"
	}
	p.report(m, newFinding(finding.Error, finding.StampBroken, p.annotation(m.key),
		"the stamp %s %s: %v; %s", m.key, problem, err, remedy))
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
func (p *pod) reportNothingToRemove(m *runInjector) {
	spec := m.injector.Spec
	isApps := spec.Adopt && spec.OnConflict.Container == v1alpha1.ContainerKeep // whatever was not adopted
	switch {
	case !isApps && p.reportUnstamped(m, nil,
		"it has no stamp, so it is unknown whether it was injected; take it out by hand, or set spec.adopt to true"):
	case spec.Adopt:
		p.report(m, newFinding(finding.Info, finding.NothingToRemove, p.podSpec(), "it has nothing of this injector"))
	default:
		p.report(m, newFinding(finding.Info, finding.NothingToRemove, p.podSpec(), "it has no stamp of this injector"))
	}
	if o := &p.workload.outcomes[m.index]; o.Reason == "" {
		o.Reason = o.Findings[len(o.Findings)-1].Code
	}
}

// reportUnstamped reports the first container with a name of the payload that is not in the injector's own stamp, which
// may be nil, and returns whether there is one. What another injector of the run added is left to that one.
func (p *pod) reportUnstamped(m *runInjector, own *stamp.Stamp, why string) bool {
	for _, list := range pods.ContainerLists {
		path := pods.InSpec(list).Path
		isOwn := func(name string) bool { return own != nil && own.Adds(path, name) }
		isFound := func(c injector.Container) bool { return !isOwn(c.Name) && p.viewBefore().At(path, c.Name) != nil }
		payload := m.injector
		if !slices.ContainsFunc(payload.Containers, isFound) && !slices.ContainsFunc(payload.InitContainers, isFound) {
			continue // the list is not searched, because other injectors may have added many containers
		}
		left := map[string]bool{} // a hostile pod has the same name many times
		for _, name := range namesIn(p.template, list) {
			if !m.injector.Has(name) || isOwn(name) || left[name] {
				continue
			}
			owner := p.stampOf(path, name)
			if left[name] = p.workload.run.injectorByStampKey[owner] != nil; left[name] {
				continue
			}
			if owner != "" {
				why = "the injector " + stamp.NameOf(owner) + " added it; to remove it, use the config of that injector"
			}
			p.report(m, newFinding(finding.Warning, finding.Unstamped, p.podSpec(), "container %q stays: %s", name, why))
			return true
		}
	}
	return false
}

// stampOf returns the first key of a stamp that has the thing of a key at a path, or "".
func (p *pod) stampOf(path, thing string) (first string) {
	for key, s := range p.stamps.stamps {
		if s.Adds(path, thing) && (first == "" || key < first) {
			first = key
		}
	}
	return first
}

// skip is a reason why injectors are not for a pod template.
type skip struct {
	code finding.Code
	of   []*runInjector
}

func addSkip(all []skip, m *runInjector, code finding.Code) []skip {
	at := slices.IndexFunc(all, func(s skip) bool { return s.code == code })
	if at < 0 {
		return append(all, skip{code, []*runInjector{m}})
	}
	all[at].of = append(all[at].of, m)
	return all
}

// reportSkips reports a reason once for all injectors that share it, if they are many: a hundred equal findings about
// each of a thousand pods help nobody.
func (p *pod) reportSkips(all []skip) {
	const many, named = 5, 3
	for _, s := range all {
		if len(s.of) < many {
			for _, m := range s.of {
				decided := m.selection.Decide(&p.candidate) // again, because few decisions are needed
				p.report(m, p.notInjected(decided))
			}
			continue
		}
		var names []string
		for _, m := range s.of[:named] {
			names = append(names, m.injector.Name)
		}
		p.reportGeneral(newFinding(finding.Info, s.code, p.podSpec(), "%d injectors are not for it: %s and %d more",
			len(s.of), strings.Join(names, ", "), len(s.of)-named))
	}
}
