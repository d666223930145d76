package decision

import "pillion.dev/pillion/finding"

// Report is what a run decided, and why.
type Report struct {
	// Findings are the decisions and problems, in the order of the items.
	Findings []finding.Finding
	// Counts are the numbers of workloads by decision.
	Counts Counts
	// Outcomes are the decisions for each workload and each injector, with the changes.
	Outcomes []Outcome
	// Summary is what the function writes to standard error: findings of the severity that the config selects, the
	// worst first, what the sidecars cost, and the counts.
	Summary string
}

// Failed reports whether any finding is an error, which means that nothing was changed.
func (r Report) Failed() bool { return finding.HasError(r.Findings) }

// Err returns the findings that are errors as one error, with a line for each, or nil if the run has not failed.
func (r Report) Err() error { return finding.Err(r.Findings) }

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
