package outcome

import (
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/cost"
	"pillion.dev/pillion/internal/edit"
)

// Outcome is what became of one workload under one injector.
type Outcome struct {
	Injector string
	Decision Decision
	// Reason is the code behind the decision: its own, that of the condition which was not met, or that of the first error.
	Reason finding.Code
	// Matched reports whether the injector is for the workload, even if a policy or an error keeps it away.
	Matched bool
	// Why is the reason of a removal, in words.
	Why     string
	Changes []Change
	// Findings are what was found besides the decision. Their Object and File are those of the workload where they are nil.
	Findings []finding.Finding
}

// Workload is what became of one workload.
type Workload struct {
	Object finding.Object
	File   *finding.File // nil where it came from no file
	Index  int           // of the item in the input
	// Templates are the paths of the pod templates.
	Templates []string
	// Outcomes has one entry for each injector, in the order in which they ran. It is empty where the workload was not
	// shown to any injector; General says why.
	Outcomes []Outcome
	// General are the findings about no injector in particular.
	General []finding.Finding
	// Cost is what the pod templates that change request in addition.
	Cost []cost.Addition
	// Text is the new text; nil where the workload is not written.
	Text []byte
	// Edits are what the injectors change in Before; nil where that is nothing. They are there as well where the change is not written.
	Edits []edit.Edit
	// Before is the text as it came, with the lines around it that a diff shows; Line is the number of its first line.
	Before []byte
	Line   int
}

// Decision is the decision about the whole workload.
func (w *Workload) Decision() Decision {
	if finding.HasError(w.General) {
		return Refused
	}
	decision := Skipped
	for i := range w.Outcomes {
		decision = Stronger(decision, w.Outcomes[i].Decision)
	}
	return decision
}

// Failed reports whether the workload keeps the run from writing anything.
func (w *Workload) Failed() bool {
	decision := w.Decision()
	return decision == Refused || decision == OutOfDate
}

// Hunks are what changes in the workload, as the hunks of a unified diff with so many lines of context.
func (w *Workload) Hunks(context int) []byte {
	return edit.Unified(w.Before, w.Edits, max(w.Line, 1), context)
}

// Run is what became of all workloads of a run.
type Run struct {
	// Config are the findings about the config.
	Config    []finding.Finding
	Workloads []Workload
	// General are the findings about other objects, and about the run as a whole.
	General []finding.Finding
	// Level is the lowest severity that the config wants to see on standard error.
	Level finding.Severity
}

// Failed reports whether there is any error. Then nothing is written.
func (r Run) Failed() bool {
	return finding.HasError(r.Config) || finding.HasError(r.General) ||
		slices.ContainsFunc(r.Workloads, func(w Workload) bool { return w.Failed() })
}

// HoldBack is the run as it is where an error keeps everything from being written.
func (r Run) HoldBack() Run {
	r.Workloads = slices.Clone(r.Workloads)
	for i := range r.Workloads {
		w := &r.Workloads[i]
		w.Text, w.Outcomes = nil, slices.Clone(w.Outcomes)
		for j := range w.Outcomes {
			if o := &w.Outcomes[j]; o.Decision.IsChange() {
				o.Decision, o.Reason = HeldBack, finding.HeldBack
			}
		}
	}
	return r
}

// Counts counts the workloads by decision.
func (r Run) Counts() Counts {
	counts := Counts{}
	for i := range r.Workloads {
		counts[r.Workloads[i].Decision()]++
	}
	return counts
}

// Cost is what the sidecars add, or would add where nothing is written.
func (r Run) Cost() cost.Total {
	var total cost.Total
	for i := range r.Workloads {
		for _, share := range r.Workloads[i].Cost {
			total.Add(share)
		}
	}
	return total
}
