package report

import (
	"io"

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

// Format writes a page. Each lives in a file of its name.
type Format func(w io.Writer, p Page) error
