package fn

import (
	"io"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/output/report"
)

// Report is what a run decided, and why.
type Report struct {
	// Findings are the decisions and problems, in the order of the items.
	Findings []finding.Finding
	// Counts are the numbers of workloads by decision.
	Counts Counts
	// Outcomes are the decisions for each workload and each injector, with the changes.
	Outcomes []Outcome

	run outcome.Run
}

// Failed reports whether any finding is an error, which means that nothing was changed.
func (r Report) Failed() bool { return finding.HasError(r.Findings) }

// Err returns the findings that are errors as one error, with a line for each, or nil if the run has not failed.
func (r Report) Err() error { return finding.Err(r.Findings) }

// WriteText writes what the function writes to standard error: findings of the severity that the config selects, the
// worst first, what the sidecars cost, and the counts.
func (r Report) WriteText(w io.Writer) error {
	return report.RunText(w, r.run, r.run.Level, finding.Finding.String)
}

// Result is a report with the changed manifests.
type Result struct {
	Report
	// Texts are the new texts of the sources, in the same order. The text is nil for a source that does not change;
	// if the run failed, all of them are nil.
	Texts [][]byte
}

// Decision is what a run decided about a workload.
type Decision string

// The decisions, as in reports of the command line.
const (
	Injected  Decision = "injected"
	Updated   Decision = "updated"
	Removed   Decision = "removed"
	HeldBack  Decision = "held-back" // would change, if there were no error elsewhere
	Outdated  Decision = "outdated"  // would change, and the run only verifies
	Unchanged Decision = "unchanged"
	Skipped   Decision = "skipped"
	Refused   Decision = "refused"
)

// Outcome is what one injector did to one workload, or why it did nothing.
type Outcome struct {
	// Object is the workload.
	Object finding.Object
	// File is where the workload was read from, or nil if that is not known.
	File *finding.File
	// Injector is the name of the injector.
	Injector string
	Decision Decision
	// Reason is the code behind the decision, such as SelectorMismatch for a workload that was skipped.
	Reason finding.Code
	// Changes are what the injector changes, or would change.
	Changes []Change
}

// Change is one thing that an injector adds, updates, moves, restores or removes.
type Change struct {
	// Verb is what happens: "adds", "replaces" (something of the app), "updates", "moves", "removes", "restores" (what
	// an earlier run had replaced), "adopts" (what is there without a stamp), "sets back" (a change by hand), "leaves"
	// (to other injectors, which add it too) or "shares" (with other injectors, which have added it already).
	Verb string
	// Template is the path of the pod template in the workload; empty for a Pod.
	Template string
	// Path and Key name the thing: a mapping or list in the pod template, such as spec/containers, and the key in
	// there.
	Path, Key string
	// Field is the field of a container that changes; empty if the whole thing does.
	Field string
	// Others are the other injectors of "leaves" and "shares".
	Others string
	// Old and New are the values in one line of limited length; empty if there is none.
	Old, New string
}

// String returns the change in words, such as: container envoy: image envoy:v1.33.0 -> envoy:v1.34.1.
func (c Change) String() string { return outcome.Change(c).String() }

// Counts are the numbers of workloads by decision.
type Counts map[Decision]int

// Workloads returns the number of all workloads.
func (c Counts) Workloads() int { return outcome.Counts(countsBy[outcome.Decision](c)).Workloads() }

// String returns the line that the command line ends with, such as "12 workloads: 9 injected, 2 skipped, 1 refused".
func (c Counts) String() string { return outcome.Counts(countsBy[outcome.Decision](c)).String() }
