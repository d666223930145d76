// Package outcome holds what became of the workloads of a run, as values. Reports, results, counts and exit codes are
// functions of them.
package outcome

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pillion.dev/pillion/finding"
)

// Decision is what a run makes of a workload. Its values are the words that people read and filter by.
type Decision string

// The decisions.
const (
	Injected  Decision = "injected"
	Updated   Decision = "updated"
	Removed   Decision = "removed"
	HeldBack  Decision = "held-back"   // would change, if there were no error elsewhere
	OutOfDate Decision = "out-of-date" // would change, and the run only verifies
	Unchanged Decision = "unchanged"
	Skipped   Decision = "skipped"
	Refused   Decision = "refused"
)

// Decisions are all decisions, in the order in which reports count them.
var Decisions = []Decision{Injected, Updated, Removed, HeldBack, OutOfDate, Unchanged, Skipped, Refused}

// precedence orders decisions: of several, the first is the decision about the whole.
var precedence = []Decision{Refused, OutOfDate, HeldBack, Injected, Updated, Removed, Unchanged, Skipped}

// codes are the codes of the findings that state a decision. The other decisions are stated by their reasons.
var codes = map[Decision]finding.Code{
	Injected: finding.Injected, Updated: finding.Updated, Removed: finding.Removed,
	HeldBack: finding.HeldBack, OutOfDate: finding.OutOfDate, Unchanged: finding.Unchanged,
}

// Code is the code of the findings that state the decision, or "" for Skipped and Refused, which have many reasons.
func (d Decision) Code() finding.Code { return codes[d] }

// IsChange reports whether the decision is to write the workload.
func (d Decision) IsChange() bool { return d == Injected || d == Updated || d == Removed }

// Stronger returns the decision that decides about the whole, where its parts have these two.
func Stronger(a, b Decision) Decision {
	if slices.Index(precedence, b) < slices.Index(precedence, a) {
		return b
	}
	return a
}

// Counts are the numbers of workloads by decision.
type Counts map[Decision]int

// Workloads is the number of all workloads.
func (c Counts) Workloads() int {
	all := 0
	for _, count := range c {
		all += count
	}
	return all
}

// String is the line that a run ends with: 12 workloads: 9 injected, 2 skipped, 1 refused.
func (c Counts) String() string {
	var parts []string
	for _, d := range Decisions {
		if c[d] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c[d], strings.ReplaceAll(string(d), "-", " ")))
		}
	}
	line := Plural(c.Workloads(), "workload")
	if len(parts) > 0 {
		line += ": " + strings.Join(parts, ", ")
	}
	return line
}

// Plural is a number with a noun: "1 workload", "2 workloads".
func Plural(n int, noun string) string { return strconv.Itoa(n) + " " + plural(noun, n) }
