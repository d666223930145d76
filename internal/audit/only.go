package audit

// Only returns the audit with the rows that are kept, and the groups that have one of them. A group still counts all of
// its pods.
func (a Audit) Only(isKept func(*Row) bool) Audit {
	kept := Audit{Findings: a.Findings}
	hasRow := map[GroupKey]bool{}
	for i := range a.Rows {
		if row := &a.Rows[i]; isKept(row) {
			kept.Rows = append(kept.Rows, *row)
			hasRow[row.GroupKey()] = true
		}
	}
	for _, group := range a.Groups {
		if hasRow[group.Key()] {
			kept.Groups = append(kept.Groups, group)
		}
	}
	return kept
}
