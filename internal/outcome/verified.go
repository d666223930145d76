package outcome

import (
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/edit"
	"pillion.dev/pillion/internal/stamp"
)

// Verified returns the run as a verification: nothing is written, and each workload that would change is OutOfDate; with WarnsOutdated,
// one that only has an older sidecar is Outdated. The remedy ends the message about it. If it is empty, the message refers to
// spec.action, and a diff is shown, because a function has no other way to show one.
func (r Run) Verified(remedy string) Run {
	r.KeepGoing, r.isVerified = false, true
	return r.changed(func(w *Workload) {
		w.IsWritten, w.Cost, w.Remedy = false, nil, remedy
		if w.Decision() == Refused {
			return // its errors are reported, and what it lacks besides does not matter yet
		}
		w.General = raised(w.General, false)
		w.Outcomes = slices.Clone(w.Outcomes)
		for j, o := range w.Outcomes {
			findings := raised(o.Findings, o.WritesNoStamp)
			switch {
			case finding.HasError(findings):
				w.Outcomes[j] = o.decided(OutOfDate)
				w.Outcomes[j].Findings = findings
			case o.Decision == Updated && r.WarnsOutdated && !o.WasMissing && !o.isDrifted():
				w.Outcomes[j] = o.decided(Outdated)
			case o.Decision.IsChange() || o.Decision == HeldBack:
				w.Outcomes[j] = o.decided(OutOfDate)
			}
		}
	})
}

// onlyVerified are the codes of what an injection leaves as it is with a warning, and what fails a verification: it is
// not known whether the sidecar is there, or whose it is.
var onlyVerified = []finding.Code{finding.LeftOut, finding.UnsupportedKind, finding.Unstamped, finding.ForeignStamp}

// stopsInjection reports whether a finding is an error that stops an injection, too.
func stopsInjection(f finding.Finding) bool {
	return f.Severity == finding.Error && !slices.Contains(onlyVerified, f.Code)
}

// raised returns findings with the warnings that fail a verification as errors. Where an injector writes no stamp, a
// missing one means nothing.
func raised(findings []finding.Finding, writesNoStamp bool) []finding.Finding {
	findings = slices.Clone(findings)
	for i, f := range findings {
		if f.Severity != finding.Warning || !slices.Contains(onlyVerified, f.Code) {
			continue
		}
		if f.Code == finding.Unstamped && writesNoStamp {
			continue
		}
		findings[i].Severity = finding.Error
	}
	return findings
}

// isDrifted reports whether somebody has changed by hand what was injected.
func (o *Outcome) isDrifted() bool {
	return slices.ContainsFunc(o.Findings, func(f finding.Finding) bool { return f.Code == finding.Drifted })
}

// IsOnlyOutOfDate reports whether workloads that are out of date are the only errors of the run.
func (r Run) IsOnlyOutOfDate() bool { return r.Failed() && !r.hasGeneralError() && !r.IsRefused() }

// Place is where a report points out what an injector changes in a workload.
type Place struct {
	Change int // the index of the change
	Field  finding.Field
	File   *finding.File // nil if the position is not known
}

// Foremost returns the index of the change to point out: of a field, otherwise of a container, otherwise the first one that is
// not about a stamp. It returns -1 if there are no changes.
func Foremost(changes []Change) int {
	foremost := -1
	for i, c := range changes {
		if foremost < 0 || c.rank() < changes[foremost].rank() {
			foremost = i
		}
	}
	return foremost
}

// rank orders changes by how well they show what is out of date, the best first.
func (c Change) rank() int {
	switch {
	case c.Verb == Leaves || c.Verb == Shares || stamp.IsKey(c.Key):
		return 3
	case c.Field != "":
		return 0
	case stamp.IsContainers(c.Path):
		return 1
	default:
		return 2
	}
}

// outOfDate returns the error about a workload that an injection would change, at the place of the foremost change.
func (w *Workload) outOfDate(last *descriptions) finding.Finding {
	var texts []string
	var foremost *Outcome
	for i, o := range w.Outcomes {
		for _, text := range w.descriptions(o, last.of(i)) {
			texts = append(texts, text)
		}
		if o.Place != nil && (foremost == nil || o.Changes[o.Place.Change].rank() < foremost.Changes[foremost.Place.Change].rank()) {
			foremost = o
		}
	}
	f := finding.Finding{Severity: finding.Error, Code: finding.OutOfDate}
	if w.Decision() == Outdated {
		f.Severity = finding.Warning
	}
	remedy := w.Remedy
	if remedy == "" {
		remedy, f.Detail = "to fix it, run the same config with spec.action: Inject, and commit the result", w.shortDiff()
	}
	if slices.ContainsFunc(w.Outcomes, func(o *Outcome) bool { return o.Decision == OutOfDate && o.Why != "" }) {
		remedy = "if it should keep the sidecar, correct the config or the workload; otherwise, " + remedy
	}
	f.Message = "an injection would change it: " + strings.Join(texts, "; ") + "; " + remedy + w.keepImages()
	if foremost != nil {
		f.Field, f.File = &foremost.Place.Field, foremost.Place.File
	}
	return f
}

// keepImages returns how to keep images that were changed by hand, as the end of a message.
func (w *Workload) keepImages() string {
	text := ""
	for _, o := range w.Outcomes {
		for _, image := range o.Images {
			if image.At != "" {
				text += "; to keep the image of " + image.Container + ", change " + image.At + ", or inject with --adopt-images"
			}
		}
	}
	return text
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
