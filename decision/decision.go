// Package decision holds what a run decides about workloads, and what it changes in them, as values with words for
// them.
package decision

import (
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/text/spelling"
)

// Decision is what a run decided about a workload. Its values are the words that people read and filter by.
type Decision string

// The decisions.
const (
	Injected  Decision = "injected"
	Updated   Decision = "updated"
	Removed   Decision = "removed"
	HeldBack  Decision = "held-back" // would change, if there were no error elsewhere
	Outdated  Decision = "outdated"  // would change, and the run only verifies
	Unchanged Decision = "unchanged"
	Patched   Decision = "patched" // a HelmRelease that is as declared; what its chart makes is not known
	Skipped   Decision = "skipped"
	Refused   Decision = "refused"
)

// All returns all decisions, in the order in which reports count them.
func All() []Decision {
	return []Decision{Injected, Updated, Removed, HeldBack, Outdated, Unchanged, Patched, Skipped, Refused}
}

// codes are the codes of the findings that state a decision. The other decisions are stated by their reasons.
var codes = map[Decision]finding.Code{
	Injected: finding.Injected, Updated: finding.Updated, Removed: finding.Removed,
	HeldBack: finding.HeldBack, Outdated: finding.Outdated, Unchanged: finding.Unchanged,
	Patched: finding.Patched,
}

// Code returns the code of the findings that state the decision, or "" for Skipped and Refused, which have many
// reasons.
func (d Decision) Code() finding.Code { return codes[d] }

// IsCurrent reports whether the decision is that nothing has to change in a workload that has the sidecar.
func (d Decision) IsCurrent() bool { return d == Unchanged || d == Patched }

// IsChange reports whether the decision is to write the workload.
func (d Decision) IsChange() bool { return d == Injected || d == Updated || d == Removed }

// conditionals are what a dry run would do.
var conditionals = map[Decision]string{Injected: "would inject", Updated: "would update", Removed: "would remove"}

// Words returns the decision as people read it: "held back", or "would inject" for what a dry run does not do.
func (d Decision) Words(dryRun bool) string {
	if words := conditionals[d]; dryRun && words != "" {
		return words
	}
	return strings.ReplaceAll(string(d), "-", " ")
}

// Counts are the numbers of workloads by decision.
type Counts map[Decision]int

// Workloads returns the number of all workloads.
func (c Counts) Workloads() int {
	all := 0
	for _, count := range c {
		all += count
	}
	return all
}

// String returns the line that a run ends with: 12 workloads: 9 injected, 2 skipped, 1 refused.
func (c Counts) String() string { return c.Line(false) }

// Line returns the line that a run or a dry run ends with.
func (c Counts) Line(dryRun bool) string {
	line := spelling.Plural(c.Workloads(), "workload")
	if words := c.Words(dryRun); words != "" {
		line += ": " + words
	}
	return line
}

// Words returns the decisions that occur with their numbers: 9 injected, 2 skipped, 1 refused. A dry run would do the
// first of these: would inject 9; 2 skipped, 1 refused.
func (c Counts) Words(dryRun bool) string {
	var would, parts []string
	for _, d := range All() {
		switch {
		case c[d] == 0:
		case dryRun && d.IsChange():
			would = append(would, fmt.Sprintf("%s %d", d.Words(dryRun), c[d]))
		default:
			parts = append(parts, fmt.Sprintf("%d %s", c[d], d.Words(dryRun)))
		}
	}
	groups := []string{strings.Join(would, ", "), strings.Join(parts, ", ")}
	groups = slices.DeleteFunc(groups, func(s string) bool { return s == "" })
	return strings.Join(groups, "; ")
}
