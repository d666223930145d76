package audit

import "pillion.dev/pillion/internal/live"

// Groups returns the groups of rows.
func (a *Auditor) Groups(rows []Row) []Group {
	type key struct {
		injector string
		owner    live.Owner
	}
	places := map[key]int{}
	var groups []Group
	for _, row := range rows {
		k := key{row.Injector, row.Owner}
		place, isKnown := places[k]
		if !isKnown {
			place = len(groups)
			places[k] = place
			groups = append(groups, Group{Injector: row.Injector, Owner: row.Owner, Counts: map[State]int{}})
		}
		groups[place].Counts[row.State]++
	}
	return groups
}
