package engine

import (
	"slices"
	"sync/atomic"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/cost"
)

// outcomeSets shares the outcomes of workloads. Of a hundred injectors, all but a few skip a workload, and of a thousand
// workloads, most are as declared, so that their outcomes take no memory of their own: it has the last outcome of each
// injector that only gives the reason why nothing changes.
type outcomeSets []atomic.Pointer[outcome.Outcome]

// beginOutcomes creates the outcomes of the workload. They are Skipped until a step decides otherwise.
func (w *workload) beginOutcomes() {
	w.outcomes = slices.Grow(w.outcomes, len(w.run.readyInjectors))[:len(w.run.readyInjectors)]
	for i, m := range w.run.readyInjectors {
		w.outcomes[i] = outcome.Outcome{
			Injector: m.injector.Name,
			Decision: decision.Skipped,
		}
	}
}

// settleOutcomes makes the final decisions, which depend on errors and on whether the text changes.
func (w *workload) settleOutcomes() {
	w.result.General = w.capped(w.result.General)
	for i := range w.outcomes {
		o := &w.outcomes[i]
		o.Findings = w.capped(o.Findings)
		at := firstError(o.Findings)
		switch {
		case at >= 0:
			o.Decision = decision.Refused
			o.Reason = o.Findings[at].Code
		case o.Decision == decision.Skipped && o.Why == "":
			continue // nothing was planned, which is so for most of many injectors
		case w.failed:
			o.Decision = decision.HeldBack
		case w.result.Edits == nil:
			o.Decision = decision.Unchanged
			if w.kind.IsRelease {
				o.Decision = decision.Patched
			}
			o.Changes = nil
		}
		if code := o.Decision.Code(); code != "" && o.Decision != decision.Removed {
			o.Reason = code
		}
		if o.Decision == decision.Removed && slices.ContainsFunc(o.Changes, leavesSomething) {
			o.Decision = decision.Updated // nothing is counted as removed that stays
		}
	}
	if !w.run.isFunction || w.run.verifies() { // the results of a function have no files
		w.locateChanges()
	}
	w.result.Outcomes = make([]*outcome.Outcome, len(w.outcomes))
	for i := range w.outcomes {
		w.result.Outcomes[i] = w.run.outcomes.share(i, &w.outcomes[i])
	}
}

// share returns the outcome of an injector as the result of a run has it: the last one, if this one is equal to it.
func (s outcomeSets) share(i int, o *outcome.Outcome) *outcome.Outcome {
	isUnchanged := o.Decision == decision.Skipped || o.Decision.IsCurrent()
	isShared := isUnchanged && o.Why == "" && o.Location == nil && len(o.Changes)+len(o.Findings) == 0
	if last := s[i].Load(); isShared && last != nil && last.Decision == o.Decision && last.Reason == o.Reason &&
		last.Matched == o.Matched && last.OptsOut == o.OptsOut &&
		last.LacksNamespace == o.LacksNamespace && last.HasSidecar == o.HasSidecar {
		return last
	}
	own := *o
	if isShared {
		s[i].Store(&own)
	}
	return &own
}

// leavesSomething reports whether a change of an injector that is removed is that something stays: other injectors have
// added it, too, or a person has made it the app's own, so that only the stamp goes.
func leavesSomething(c decision.Change) bool { return c.Verb == decision.Leaves || stamp.IsKey(c.Key) }

// firstError returns the index of the first error among findings, or -1.
func firstError(findings []finding.Finding) int {
	return slices.IndexFunc(findings, func(f finding.Finding) bool { return f.Severity == finding.Error })
}

// addCost adds what the pod templates of the new version request above the original's.
func (w *workload) addCost() {
	if !w.result.IsWritten {
		return
	}
	for i := range w.pods {
		p := &w.pods[i]
		if p.template.Broken != nil {
			continue
		}
		before := p.template.Spec()
		after := p.template.In(w.changed).Spec()
		if before == after {
			continue
		}
		replicas, isKnown := w.kind.Replicas(w.original, p.template)
		addition := cost.Addition{Pod: cost.Difference(before, after), Replicas: replicas, Unknown: !isKnown}
		w.result.Cost = append(w.result.Cost, addition)
	}
}
