package auditreport

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/audit"
)

// rankOf returns the place of a state among all, of which the worst is the first.
func rankOf(state audit.State) int { return slices.Index(audit.States, state) }

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
	var parts []string
	for _, state := range statesInWords {
		if c[state] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c[state], state))
		}
	}
	if len(parts) == 0 {
		return "no pods"
	}
	return strings.Join(parts, ", ")
}

// statesInWords are the states in the order in which people want to read their counts.
var statesInWords = []audit.State{audit.Current, audit.Missing, audit.Stale, audit.Unexpected, audit.Refused, audit.Skipped}

// reasonCount is how many pods are skipped for a reason.
type reasonCount struct {
	code  finding.Code
	count int
	like  string // the message of one of them
}

// skipped returns why pods are skipped, the most frequent reason first.
func skipped(rows []audit.Row) []reasonCount {
	places := map[finding.Code]*reasonCount{}
	for _, row := range rows {
		if row.State != audit.Skipped {
			continue
		}
		if places[row.Reason] == nil {
			places[row.Reason] = &reasonCount{code: row.Reason, like: row.Message}
		}
		places[row.Reason].count++
	}
	all := make([]reasonCount, 0, len(places))
	for _, code := range slices.Sorted(maps.Keys(places)) {
		all = append(all, *places[code])
	}
	slices.SortStableFunc(all, func(a, b reasonCount) int { return cmp.Compare(b.count, a.count) })
	return all
}
