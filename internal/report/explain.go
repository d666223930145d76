package report

import (
	"cmp"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/cost"
	"pillion.dev/pillion/internal/edit"
)

// Decision is what a run made of a workload.
type Decision string

// The decisions. Their values are the words that people read and filter by.
const (
	Injected  Decision = "injected"
	Updated   Decision = "updated"
	Removed   Decision = "removed"
	HeldBack  Decision = "held-back" // would be changed, were there no error elsewhere
	Unchanged Decision = "unchanged"
	Skipped   Decision = "skipped"
	Refused   Decision = "refused"
)

// Decisions are all of them, in the order in which reports count them.
var Decisions = []Decision{Injected, Updated, Removed, HeldBack, Unchanged, Skipped, Refused}

// Row is one workload of a run, for people to look at.
type Row struct {
	Object   finding.Object
	File     *finding.File // nil where it came from no file
	Decision Decision
	Findings []finding.Finding // everything said about it, in order
	Before   []byte            // its text as it came, with lines around it that a diff shows
	Line     int               // the number of the first of these lines in the file
	Edits    []edit.Edit       // what would change in it; nil where it stays
	Cost     cost.Pod          // what its sidecars ask for, times replicas
}

// Page is what a report shows of a run.
type Page struct {
	Title     string
	Rows      []Row
	Others    []finding.Finding // what was said about no workload in particular
	Cost      cost.Total
	Injectors []string // by name, in the order in which they ran
}

// HeldBack is how many workloads are not written for the errors of others.
func (p Page) HeldBack() int { return countDecisions(p.Rows)[HeldBack] }

// Reason is the finding behind the decision: the one that has its name, or else the worst; of several, the
// first. It is empty where nothing was said.
func (r Row) Reason() finding.Finding {
	if len(r.Findings) == 0 {
		return finding.Finding{}
	}
	if i := slices.IndexFunc(r.Findings, r.names); i >= 0 {
		return r.Findings[i]
	}
	return slices.MaxFunc(r.Findings, func(a, b finding.Finding) int { return cmp.Compare(a.Severity, b.Severity) })
}

func (r Row) names(f finding.Finding) bool {
	return strings.EqualFold(string(f.Code), strings.ReplaceAll(string(r.Decision), "-", ""))
}

// Beside are the warnings and errors that the reason is not, in order.
func (r Row) Beside() []finding.Finding {
	reason := r.Reason()
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f finding.Finding) bool { return f.Severity < finding.Warning || f == reason })
}

// Codes are the reason's, and those of what is beside it, each once.
func (r Row) Codes() []finding.Code {
	var codes []finding.Code
	for _, f := range append([]finding.Finding{r.Reason()}, r.Beside()...) {
		if f.Code != "" && !slices.Contains(codes, f.Code) {
			codes = append(codes, f.Code)
		}
	}
	return codes
}

// Injectors are the names behind the decision, in order. A workload may get sidecars from several.
func (r Row) Injectors() []string {
	code := r.Reason().Code
	var names []string
	for _, f := range r.Findings {
		if f.Code == code && f.Injector != "" && !slices.Contains(names, f.Injector) {
			names = append(names, f.Injector)
		}
	}
	return names
}
