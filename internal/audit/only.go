package audit

import "pillion.dev/pillion/internal/live"

// IsAsDeclared reports whether nothing has to be done about a pod.
func (s State) IsAsDeclared() bool { return s == Current || s == Skipped }

// Only returns the audit with the rows that are kept, and the groups that have one of them. A group still counts all of its pods.
func (a Audit) Only(isKept func(*Row) bool) Audit {
	type key struct {
		injector string
		owner    live.Owner
	}
	kept := Audit{Findings: a.Findings}
	hasRow := map[key]bool{}
	for i := range a.Rows {
		if row := &a.Rows[i]; isKept(row) {
			kept.Rows = append(kept.Rows, *row)
			hasRow[key{row.Injector, row.Owner}] = true
		}
	}
	for _, group := range a.Groups {
		if hasRow[key{group.Injector, group.Owner}] {
			kept.Groups = append(kept.Groups, group)
		}
	}
	return kept
}
