// Package auditreport writes audits as tables, JSON and an HTML page.
package auditreport

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/output/page"
)

// Page is what a report shows.
type Page struct {
	Title     string
	Injectors []string // by name, in order
	Audit     audit.Audit
}

// Formats are the formats of a page.
var Formats = page.Formats[Page]{
	{Name: "table", Write: Table},
	{Name: "wide", Write: Wide},
	{Name: "json", Write: JSON},
	{Name: "html", Write: HTML},
}

// hasOneInjector reports whether a column for the injector would have the same name in all lines.
func (p Page) hasOneInjector() bool {
	isOther := func(r audit.Row) bool { return r.Injector != p.Audit.Rows[0].Injector }
	return len(p.Injectors) < 2 && !slices.ContainsFunc(p.Audit.Rows, isOther)
}

// noun returns what the report counts: a pod has a state for each injector.
func (p Page) noun() string {
	if p.hasOneInjector() {
		return "pod"
	}
	return "pod-injector pair"
}

// Counts are numbers of pods by their states.
type Counts map[audit.State]int

// CountsOf counts rows.
func CountsOf(rows []audit.Row) Counts {
	c := Counts{}
	for i := range rows {
		c[rows[i].State]++
	}
	return c
}

// selected returns how many pods should have what is declared.
func (c Counts) selected() int {
	return c[audit.Missing] + c[audit.Stale] + c[audit.Refused] + c[audit.Current]
}

// notSkipped returns how many pods have anything to do with the injector.
func (c Counts) notSkipped() int { return c.selected() + c[audit.Unexpected] }

// String returns the counts with the good news first: 128 current, 12 missing.
func (c Counts) String() string {
	return c.words(audit.Current, audit.Missing, audit.Stale, audit.Unexpected, audit.Refused, audit.Skipped)
}

// words returns the counts of states that are not 0.
func (c Counts) words(states ...audit.State) string {
	var parts []string
	for _, part := range page.Parts(states, c) {
		parts = append(parts, fmt.Sprintf("%d %s", part.Count, part.Class))
	}
	if len(parts) == 0 {
		return "no pods"
	}
	return strings.Join(parts, ", ")
}

// compareStates orders states, the worst first.
func compareStates(a, b audit.State) int {
	return cmp.Compare(slices.Index(audit.States, a), slices.Index(audit.States, b))
}

func stateOf(r *audit.Row) audit.State { return r.State }
