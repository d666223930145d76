package report

import (
	"slices"
	"strings"

	"pillion.dev/pillion/internal/cost"
	"pillion.dev/pillion/internal/finding"
)

// Decision is what a run made of a workload.
type Decision string

// The decisions. Their values are the words that people read and filter by.
const (
	Injected  Decision = "injected"
	Updated   Decision = "updated"
	Removed   Decision = "removed"
	Unchanged Decision = "unchanged"
	Skipped   Decision = "skipped"
	Refused   Decision = "refused"
)

// Decisions are all of them, in the order in which reports count them.
var Decisions = []Decision{Injected, Updated, Removed, Unchanged, Skipped, Refused}

// Row is one workload of a run, for people to look at.
type Row struct {
	Object   finding.Object
	File     *finding.File // nil where it came from no file
	Decision Decision
	Findings []finding.Finding // everything said about it, in order
	Before   []byte            // the item's text as it came
	After    []byte            // and as it would be; nil where it stays
	Cost     cost.Pod          // what its sidecars ask for, times replicas
}

// Page is what a report shows of a run.
type Page struct {
	Title     string
	Rows      []Row
	Others    []finding.Finding // what was said about no workload in particular
	Counts    Counts
	Cost      string   // the sentence of cost.Total
	Injectors []string // by name, in the order in which they ran
}

// Reason is the finding behind the decision; of several, the first. It is empty where nothing was said.
func (r Row) Reason() finding.Finding {
	if i := slices.IndexFunc(r.Findings, r.decides); i >= 0 {
		return r.Findings[i]
	}
	if len(r.Findings) > 0 {
		return r.Findings[0]
	}
	return finding.Finding{}
}

func (r Row) decides(f finding.Finding) bool {
	if r.Decision == Refused {
		return f.Severity == finding.Error
	}
	return strings.EqualFold(string(f.Code), string(r.Decision))
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
