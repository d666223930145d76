package auditreport

import (
	"cmp"
	"slices"

	"pillion.dev/pillion/internal/audit"
)

// owner is a workload under one injector, with those of its pods that are shown.
type owner struct {
	audit.Group // of all its pods
	rows        []audit.Row
}

// owners returns the workloads of the rows, in the order of their first pods.
func (p Page) owners() []*owner {
	groups := p.groups()
	places := make(map[audit.GroupKey]*owner, len(groups))
	owners := make([]*owner, 0, len(groups))
	for i := range p.Audit.Rows {
		row := &p.Audit.Rows[i]
		k := row.GroupKey()
		o := places[k]
		if o == nil {
			o = &owner{Group: audit.Group{Injector: row.Injector, Owner: row.Owner}}
			if g := groups[k]; g != nil {
				o.Group = *g
			}
			places[k] = o
			owners = append(owners, o)
		}
		o.rows = append(o.rows, *row)
	}
	for _, o := range owners {
		if o.Counts == nil {
			o.Counts = CountsOf(o.rows)
		}
	}
	return owners
}

func (p Page) groups() map[audit.GroupKey]*audit.Group {
	groups := make(map[audit.GroupKey]*audit.Group, len(p.Audit.Groups))
	for i := range p.Audit.Groups {
		groups[p.Audit.Groups[i].Key()] = &p.Audit.Groups[i]
	}
	return groups
}

// line is the pods of a workload in one state.
type line struct {
	*owner
	state  audit.State
	rows   []audit.Row
	reason string
}

// lines returns the lines of workloads, worst first. Pods that are skipped have none, and those that are current only if no other pod of
// the workload is in another state.
func lines(owners []*owner) []line {
	var all []line
	for _, o := range owners {
		byState := map[audit.State][]audit.Row{}
		for _, row := range o.rows {
			byState[row.State] = append(byState[row.State], row)
		}
		for state, rows := range byState {
			isBeside := state == audit.Current && CountsOf(o.rows).notSkipped() > len(rows)
			if state != audit.Skipped && !isBeside {
				all = append(all, line{owner: o, state: state, rows: rows, reason: o.reasonOf(rows)})
			}
		}
	}
	slices.SortFunc(all, compareLines)
	return all
}

// compareLines orders lines by their states, and otherwise those with more pods first.
func compareLines(a, b line) int {
	return cmp.Or(
		compareStates(a.state, b.state), cmp.Compare(len(b.rows), len(a.rows)),
		cmp.Compare(a.Owner.Namespace, b.Owner.Namespace), cmp.Compare(a.Owner.Kind, b.Owner.Kind), cmp.Compare(a.Owner.Name, b.Owner.Name),
		cmp.Compare(a.Owner.APIVersion, b.Owner.APIVersion), cmp.Compare(a.Injector, b.Injector),
	)
}
