// Package outcome holds the outcomes of a run as values. Reports, results, counts and exit codes are functions of them.
package outcome

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/cost"
	"pillion.dev/pillion/internal/pods/maker"
	"pillion.dev/pillion/internal/text/edit"
)

// Outcome is what became of one workload under one injector. The engine creates one for each pair.
type Outcome struct {
	Injector string
	Decision decision.Decision
	// Reason is the code behind the decision: its own, that of the condition that does not hold, or that of the first
	// error.
	Reason finding.Code
	// Matched is whether the injector selects the workload, even if a policy or an error prevents the injection.
	Matched bool
	// OptsOut is whether only the workload itself keeps the injector out, by its marker.
	OptsOut bool
	// LacksNamespace is whether the decision depends on the workload's namespace, which is not known.
	LacksNamespace bool
	// HasSidecar is whether the workload has what the injector adds after the run, or would have it if it were written.
	HasSidecar bool
	// WasMissing is whether a pod template had a stamp of the injector, and none of its containers.
	WasMissing bool
	// Why is the reason of a removal, in words.
	Why     string
	Changes []decision.Change
	// Location is that of the foremost change; nil if nothing changes.
	Location *ChangeLocation
	// IsAccepted is whether it is Outdated only because of an older config, and the run warns about that; see Verified.
	IsAccepted bool
	// Findings are those besides the decision. If their Object or File is nil, it is the workload's.
	Findings []finding.Finding

	planned decision.Decision // before it was held back or verified; empty if it is neither
}

// decided returns the outcome with another decision, which is its own reason.
func (o *Outcome) decided(d decision.Decision) *Outcome {
	other := *o
	other.planned = cmp.Or(o.planned, o.Decision)
	other.Decision = d
	other.Reason = d.Code()
	return &other
}

// IsLeftAlone reports whether the injector is not for the workload: it is skipped, or what was injected earlier is
// removed.
func (o *Outcome) IsLeftAlone() bool {
	isRemoved := o.Decision == decision.Removed && o.Reason != finding.Removed
	return o.Reason != "" && (o.Decision == decision.Skipped || isRemoved)
}

// Workload is what became of one workload.
type Workload struct {
	Object finding.Object
	File   *finding.File // nil if it came from no file
	Index  int           // of the item in the input
	// Templates are the paths of the pod templates, and of bare pod specs.
	Templates []string
	// Bare are those of them that are bare pod specs.
	Bare []string
	// Outcomes has one entry for each injector, in the order in which they ran. It is empty if no injector could run on
	// the workload; General has the reason. Workloads may share entries, so that they must not be changed.
	Outcomes []*Outcome
	// General are the findings that concern no injector in particular.
	General []finding.Finding
	// Cost is what the pod templates that change request in addition.
	Cost []cost.Addition
	// Edits are what the injectors change in Before, whether or not the change is written; nil if they change nothing.
	Edits []edit.Edit
	// IsWritten is whether the edits are written.
	IsWritten bool
	// Before is the text as it came, with the lines around it that a diff shows; Line is the number of its first line.
	Before []byte
	Line   int
	// Remedy is what to do if the workload is Outdated; see WithRemedy.
	Remedy string

	leavesRemedyOut bool // whether the message does not have it, see RemedyOnce
}

// Decision returns the decision about the whole workload.
func (w *Workload) Decision() decision.Decision {
	if slices.ContainsFunc(w.General, stopsInjection) {
		return decision.Refused
	}
	whole := decision.Skipped
	if finding.HasError(w.General) {
		whole = decision.Outdated
	}
	for i := range w.Outcomes {
		whole = Stronger(whole, w.Outcomes[i].Decision)
	}
	return whole
}

// precedence orders decisions: the first of several decides about the whole.
var precedence = []decision.Decision{
	decision.Refused, decision.Outdated, decision.HeldBack, decision.Injected, decision.Updated, decision.Removed,
	decision.Unchanged, decision.Patched, decision.Skipped,
}

// Stronger returns the decision about the whole if its parts have these two.
func Stronger(a, b decision.Decision) decision.Decision {
	if b == decision.Skipped || a == b { // nearly all of many injectors skip a workload
		return a
	}
	if slices.Index(precedence, b) < slices.Index(precedence, a) {
		return b
	}
	return a
}

// IsCurrent reports whether all injectors are for the workload, and it is as they declare, with nothing to say about
// it.
func (w *Workload) IsCurrent() bool {
	isLeft := func(o *Outcome) bool { return o.Decision != decision.Unchanged || len(o.Findings) > 0 }
	return len(w.Outcomes) > 0 && len(w.General) == 0 && !w.IsWritten && !slices.ContainsFunc(w.Outcomes, isLeft)
}

// WasInjected reports whether an injector would change or remove what it has put in, or find fault with it.
func (w *Workload) WasInjected() bool {
	return slices.ContainsFunc(w.Outcomes, func(o *Outcome) bool {
		planned := cmp.Or(o.planned, o.Decision)
		return planned == decision.Updated || planned == decision.Removed || planned == decision.Refused
	})
}

// Failed reports whether the workload has an error.
func (w *Workload) Failed() bool {
	whole := w.Decision()
	return whole == decision.Refused || whole == decision.Outdated && !w.IsAccepted()
}

// IsAccepted reports whether the workload is Outdated only because its sidecars are of an older config, and the run
// accepts that.
func (w *Workload) IsAccepted() bool {
	isError := func(o *Outcome) bool { return o.Decision == decision.Outdated && !o.IsAccepted }
	return w.Decision() == decision.Outdated && !finding.HasError(w.General) && !slices.ContainsFunc(w.Outcomes, isError)
}

// Hunks returns what changes in the workload, as the hunks of a unified diff with that many lines of context.
func (w *Workload) Hunks(context int) []byte {
	return edit.Unified(w.Before, w.Edits, max(w.Line, 1), context)
}

// Run is what became of all workloads of a run.
type Run struct {
	// Config are the findings about the config.
	Config    []finding.Finding
	Workloads []*Workload
	// LeftAlone are the workloads that flags do not choose.
	LeftAlone []finding.Object
	// General are the findings about other objects, and about the run as a whole.
	General []finding.Finding
	// Makers are the objects and files from which pods are made elsewhere, and that injectors may be for.
	Makers []*maker.Maker
	// Sources say where these come from.
	Sources []maker.Source
	// Rendered are the releases that workloads were rendered from, according to their labels.
	Rendered []maker.Rendered
	// Level is the lowest severity that is reported on standard error, as the config sets it.
	Level finding.Severity
	// DryRun is whether the run only shows what another would write.
	DryRun bool
	// Steps is how much work the run took, as its meter counted. Only the tests of the meter read it.
	Steps int64
	// KeepGoing is whether workloads that are refused prevent no others from being written.
	KeepGoing bool
	// AcceptsOlder is whether the sidecar of an older config is no error, see Verified.
	AcceptsOlder bool

	isVerified bool // see Verified
}

// Add returns the run with the workloads and findings of another one, which is of the same config.
func (r Run) Add(other Run) Run {
	r.Workloads = append(r.Workloads, other.Workloads...)
	r.LeftAlone = append(r.LeftAlone, other.LeftAlone...)
	r.General = append(r.General, other.General...)
	r.Makers = append(r.Makers, other.Makers...)
	r.Sources = append(r.Sources, other.Sources...)
	r.Rendered = append(r.Rendered, other.Rendered...)
	r.Level = other.Level
	r.KeepGoing = other.KeepGoing
	return r
}

// IsRefused reports whether there is an error that stops an injection: in the config, in the run, or of a workload.
// What is left out stops only a verification.
func (r Run) IsRefused() bool {
	return finding.HasError(r.Config) || slices.ContainsFunc(r.General, stopsInjection) || r.hasAny(decision.HeldBack, decision.Refused)
}

// Failed reports whether there is any error.
func (r Run) Failed() bool {
	return r.failedAsAWhole() || r.isVerified && len(r.Unchecked()) > 0 || slices.ContainsFunc(r.Workloads, (*Workload).Failed)
}

// hasGeneralError reports whether there is an error that is about no workload.
func (r Run) hasGeneralError() bool { return finding.HasError(r.Config) || finding.HasError(r.General) }

// failedAsAWhole reports whether there is an error that is not about one of the workloads. If a filter left out the
// workload with the error, the others are still held back.
func (r Run) failedAsAWhole() bool { return r.hasGeneralError() || r.hasAny(decision.HeldBack) }

// hasAny reports whether one of the decisions was made about any workload.
func (r Run) hasAny(decisions ...decision.Decision) bool {
	return slices.ContainsFunc(r.Workloads, func(w *Workload) bool { return slices.Contains(decisions, w.Decision()) })
}

// Writes reports whether the changes of the run are written: all of them if there is no error, and with KeepGoing,
// those of the workloads that are not refused.
func (r Run) Writes() bool { return !r.Failed() || r.KeepGoing && !r.failedAsAWhole() }

// WouldKeepGoing reports whether nothing is written only because of workloads that are refused, so that KeepGoing would
// write the rest.
func (r Run) WouldKeepGoing() bool {
	isLeft := func(w *Workload) bool { return w.Decision() == decision.HeldBack || r.DryRun && w.NeedsInjection() }
	return !r.KeepGoing && !r.hasGeneralError() && r.hasAny(decision.Refused) && slices.ContainsFunc(r.Workloads, isLeft)
}

// HoldBack returns the run with all changes held back, because of an error.
func (r Run) HoldBack() Run {
	return r.changed(func(w *Workload) {
		w.IsWritten = false
		w.Outcomes = slices.Clone(w.Outcomes)
		for j, o := range w.Outcomes {
			if o.Decision.IsChange() {
				w.Outcomes[j] = o.decided(decision.HeldBack)
			}
		}
	})
}

// changed returns the run with changed copies of its workloads, except those that there is nothing to say about.
func (r Run) changed(change func(*Workload)) Run {
	r.Workloads = slices.Clone(r.Workloads)
	for i, w := range r.Workloads {
		if w.IsCurrent() {
			continue
		}
		c := *w
		change(&c)
		r.Workloads[i] = &c
	}
	return r
}

// Only returns the run with only the workloads that a filter keeps.
func (r Run) Only(keeps func(*Workload) bool) Run {
	r.Workloads = slices.DeleteFunc(slices.Clone(r.Workloads), func(w *Workload) bool { return !keeps(w) })
	return r
}

// Matches returns how many workloads an injector matched, by its index among the outcomes of a workload.
func (r Run) Matches(injector int) int {
	matches := 0
	for _, w := range r.Workloads {
		if outcomes := w.Outcomes; len(outcomes) > 0 && outcomes[injector].Matched {
			matches++
		}
	}
	return matches
}

// Sidecars returns how many workloads have what an injector adds after the run, by its index among the outcomes of a
// workload. Refused is the number of those that would have it without an error of theirs.
func (r Run) Sidecars(injector int) (have, refused int) {
	for _, w := range r.Workloads {
		switch {
		case len(w.Outcomes) == 0 || !w.Outcomes[injector].Matched && !w.Outcomes[injector].HasSidecar:
		case w.Decision() == decision.Refused:
			refused++
		case w.Outcomes[injector].HasSidecar:
			have++
		}
	}
	return have, refused
}

// NotRolledOut counts the workloads that injectors are not rolled out to yet, also those that fail a verification:
// "logs 191, proxy 3", or "".
func (r Run) NotRolledOut() string {
	isNotRolledOut := func(f finding.Finding) bool { return f.Code == finding.NotRolledOut }
	counts := map[string]int{}
	for _, w := range r.Workloads {
		for _, o := range w.Outcomes {
			if slices.ContainsFunc(o.Findings, isNotRolledOut) {
				counts[o.Injector]++
			}
		}
	}
	var all []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, fmt.Sprintf("%s %d", name, counts[name]))
	}
	return strings.Join(all, ", ")
}

// Selects reports whether an injector is for any workload, also for one that opts out by itself.
func (r Run) Selects(injector int) bool {
	return slices.ContainsFunc(r.Workloads, func(w *Workload) bool {
		return len(w.Outcomes) > 0 && (w.Outcomes[injector].Matched || w.Outcomes[injector].OptsOut)
	})
}

// Keeps reports whether a workload that has the sidecar of an injector stays one that the injector is for, or opts out by
// itself. A mistake in a selection leaves none, whatever else the injector selects then.
func (r Run) Keeps(injector int) bool {
	return slices.ContainsFunc(r.Workloads, func(w *Workload) bool {
		if len(w.Outcomes) == 0 {
			return false
		}
		o := w.Outcomes[injector]
		planned := cmp.Or(o.planned, o.Decision)
		stays := o.Matched && (planned.IsCurrent() || planned == decision.Updated)
		return stays || o.OptsOut && o.Why != ""
	})
}

// Losing returns how many workloads an injector is not for any more, and would take from what it added before.
func (r Run) Losing(injector int) int {
	losing := 0
	for _, w := range r.Workloads {
		if outcomes := w.Outcomes; len(outcomes) > 0 && outcomes[injector].Why != "" && w.Decision() != decision.Refused {
			losing++
		}
	}
	return losing
}

// Counts counts the workloads by decision.
func (r Run) Counts() decision.Counts {
	counts := decision.Counts{}
	for _, w := range r.Workloads {
		counts[w.Decision()]++
	}
	return counts
}

// Cost returns what the sidecars add, or would add if nothing is written.
func (r Run) Cost() cost.Total {
	var total cost.Total
	for _, w := range r.Workloads {
		for _, addition := range w.Cost {
			total.Add(addition)
		}
	}
	return total
}
