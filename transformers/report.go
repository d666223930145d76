package transformers

import "pillion.dev/pillion/decision"

// What a run decided, from the whole to the single change.
type (
	// Report is what a run decided, and why.
	Report = decision.Report
	// Counts are the numbers of workloads by decision.
	Counts = decision.Counts
	// Outcome is what one injector did to one workload, or why it did nothing.
	Outcome = decision.Outcome
	// Decision is what a run decided about a workload.
	Decision = decision.Decision
	// Change is one thing that an injector adds, updates, moves, restores or removes.
	Change = decision.Change
)

// The decisions, as in reports of the command line.
const (
	Injected  = decision.Injected
	Updated   = decision.Updated
	Removed   = decision.Removed
	HeldBack  = decision.HeldBack // would change, if there were no error elsewhere
	Outdated  = decision.Outdated // would change, and the run only verifies
	Unchanged = decision.Unchanged
	Patched   = decision.Patched // a HelmRelease that is as declared; what its chart makes is not known
	Skipped   = decision.Skipped
	Refused   = decision.Refused
)
