package outcome

import (
	"cmp"
	"slices"
	"strings"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/edit"
)

// Verified returns the run as a verification: nothing is written, and each workload that would change is Outdated. With
// AcceptsOlder, one that only has the sidecar of an older config is a warning. The message about it refers to
// spec.action, and a diff is shown, because a function has no other way to show one; see WithRemedy.
func (r Run) Verified() Run {
	r.KeepGoing = false
	r.isVerified = true
	return r.changed(func(w *Workload) {
		w.IsWritten = false
		w.Cost = nil
		if w.Decision() == decision.Refused {
			return // its errors are reported, and what it lacks besides does not matter yet
		}
		w.General = raised(w.General, &Outcome{})
		w.Outcomes = slices.Clone(w.Outcomes)
		for j, o := range w.Outcomes {
			findings := raised(o.Findings, o)
			fails := finding.HasError(findings)
			if fails || o.Decision.IsChange() || o.Decision == decision.HeldBack {
				outdated := o.decided(decision.Outdated)
				outdated.Findings = findings
				isOlder := outdated.planned == decision.Updated && !o.WasMissing && !o.IsDrifted() && !o.hasOtherImage()
				outdated.IsAccepted = r.AcceptsOlder && isOlder && !fails
				w.Outcomes[j] = outdated
			}
		}
	})
}

// onlyVerified are the codes of what an injection leaves as it is with a warning, and what fails a verification: it is
// not known whether the sidecar is there, or whose it is.
var onlyVerified = []finding.Code{
	finding.LeftOut, finding.UnsupportedKind, finding.Unstamped, finding.ForeignStamp, finding.PatchedAway,
	finding.BuildFailed,
}

// unclear are the codes of what must be known to tell whether an injector is for a workload.
var unclear = []finding.Code{finding.NamespaceLabelsUnknown, finding.NamespaceUnknown, finding.MarkerUnclear}

// stopsInjection reports whether a finding is an error that stops an injection, too.
func stopsInjection(f finding.Finding) bool {
	return f.Severity == finding.Error && !slices.Contains(onlyVerified, f.Code)
}

// raised returns findings about an outcome with the warnings that fail a verification as errors. Where an injector is
// not rolled out, that is any of them: changes by hand, which no injection corrects. A sidecar is not checked if it is
// not known whether it is wanted. About pods that no injector can change, nothing can be done.
func raised(findings []finding.Finding, about *Outcome) []finding.Finding {
	findings = slices.Clone(findings)
	for i, f := range findings {
		isUnchecked := about.HasSidecar && slices.Contains(unclear, f.Code)
		fails := isUnchecked || slices.Contains(onlyVerified, f.Code) || about.Reason == finding.NotRolledOut
		if f.Severity != finding.Warning || !fails {
			continue
		}
		if isUndeclarable := f.Code == finding.UnsupportedKind && f.Detail == ""; isUndeclarable {
			continue
		}
		findings[i].Severity = finding.Error
	}
	return findings
}

// IsVerified reports whether the run only verifies.
func (r Run) IsVerified() bool { return r.isVerified }

// NeedsInjection reports whether an injection corrects what a verification reports as an error of the workload.
func (w *Workload) NeedsInjection() bool {
	return w.Decision() == decision.Outdated && !w.IsAccepted() && w.wouldChange()
}

// PatchedAway replaces what the run found out about the workload by the patch that is the cause of it.
func (w *Workload) PatchedAway(cause finding.Finding) {
	w.General = []finding.Finding{cause}
	w.Outcomes = slices.Clone(w.Outcomes)
	for i, o := range w.Outcomes {
		w.Outcomes[i] = &Outcome{Injector: o.Injector, Decision: decision.Unchanged, Matched: o.Matched, HasSidecar: o.HasSidecar}
	}
}

func isPatchedAway(f finding.Finding) bool { return f.Code == finding.PatchedAway }

// wouldChange reports whether an injector changes the workload, whether or not the change is written.
func (w *Workload) wouldChange() bool {
	return slices.ContainsFunc(w.Outcomes, func(o *Outcome) bool { return len(o.Changes) > 0 })
}

// IsAcceptedText is what reports say of a workload that is accepted.
const IsAcceptedText = "--outdated warn accepts that"

// WithRemedy returns the run with what to do about workloads that are Outdated. It ends the message about each of them.
func (r Run) WithRemedy(remedy string) Run { return r.changed(func(w *Workload) { w.Remedy = remedy }) }

// RemedyOnce returns the run with messages that do not end with the remedy, and the remedy, or "" if no message has it.
// A list for people says it once.
func (r Run) RemedyOnce() (Run, string) {
	remedy := ""
	brief := r.changed(func(w *Workload) {
		if w.Remedy == "" || !w.NeedsInjection() {
			return
		}
		remedy = w.Remedy
		w.leavesRemedyOut = true
	})
	return brief, remedy
}

// IsDrifted reports whether somebody has changed by hand what was injected.
func (o *Outcome) IsDrifted() bool {
	return slices.ContainsFunc(o.Findings, func(f finding.Finding) bool { return f.Code == finding.Drifted })
}

// hasOtherImage reports whether an image is from another repository than the config declares. A stamp alone says that an
// older config did that, and anybody can write one.
func (o *Outcome) hasOtherImage() bool {
	return slices.ContainsFunc(o.Changes, func(c decision.Change) bool {
		return c.Field == "image" && pod.SplitImage(c.Old).Repository != pod.SplitImage(c.New).Repository
	})
}

// IsOnlyOutdated reports whether workloads that are outdated, also by patches, are the only errors of the run. What makes
// pods elsewhere is an error of the same kind: the run knows what it is about.
func (r Run) IsOnlyOutdated() bool {
	failed := r.Failed()
	r.General = slices.DeleteFunc(slices.Clone(r.General), isPatchedAway)
	return failed && !r.hasGeneralError() && !r.IsRefused()
}

// ChangeLocation is where a report points out what an injector changes in a workload.
type ChangeLocation struct {
	Change int // the index of the change
	Field  finding.Field
	File   *finding.File // nil if the location is not known
}

// Foremost returns the index of the change to point out: of a field, otherwise of a container, otherwise the first one
// that is not about a stamp. It returns -1 if there are no changes.
func Foremost(changes []decision.Change) int {
	foremost := -1
	for i, c := range changes {
		if foremost < 0 || rank(c) < rank(changes[foremost]) {
			foremost = i
		}
	}
	return foremost
}

// rank orders changes by how well they show what is outdated, the best first.
func rank(c decision.Change) int {
	switch {
	case c.Verb == decision.Leaves || c.Verb == decision.Shares || stamp.IsKey(c.Key):
		return 3
	case c.Field != "":
		return 0
	case stamp.IsContainers(c.Path):
		return 1
	default:
		return 2
	}
}

// outdated returns the error about a workload that an injection would change, at the location of the foremost change.
func (w *Workload) outdated(last *descriptions) finding.Finding {
	var texts []string
	var foremost *Outcome
	for i, o := range w.Outcomes {
		for _, text := range w.descriptions(o, last.of(i)) {
			texts = append(texts, text)
		}
		rankOf := func(o *Outcome) int { return rank(o.Changes[o.Location.Change]) }
		if o.Location != nil && (foremost == nil || rankOf(o) < rankOf(foremost)) {
			foremost = o
		}
	}
	f := finding.Finding{Severity: finding.Error, Code: finding.Outdated}
	if w.IsAccepted() {
		f.Severity = finding.Warning
		texts = append(texts, IsAcceptedText)
	} else {
		texts = append(texts, w.remedies()...)
	}
	f.Message = "an injection would change it: " + strings.Join(texts, "; ")
	if w.Remedy == "" {
		f.Detail = w.shortDiff()
	}
	if foremost != nil {
		f.Field = &foremost.Location.Field
		f.File = foremost.Location.File
	}
	return f
}

// remedies returns what to do about a workload that is Outdated.
func (w *Workload) remedies() []string {
	var all []string
	remedy := cmp.Or(w.Remedy, "to fix it, run the same config with spec.action: Inject, and commit the result")
	if slices.ContainsFunc(w.Outcomes, func(o *Outcome) bool { return o.Decision == decision.Outdated && o.Why != "" }) {
		all = append(all, "if it should keep the sidecar, correct the config or the workload")
		remedy = "otherwise, " + remedy
	}
	if !w.leavesRemedyOut {
		all = append(all, remedy)
	}
	return all
}

// shortDiff returns the first lines of what would change.
func (w *Workload) shortDiff() string {
	const most = 200
	lines := strings.SplitAfter("--- as it is\n+++ as it should be\n"+string(w.Hunks(edit.Context)), "\n")
	if len(lines) > most {
		lines = append(lines[:most], "...\n")
	}
	return strings.Join(lines, "")
}
