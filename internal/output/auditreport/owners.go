package auditreport

import (
	"cmp"
	"slices"

	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/output/page"
)

// owner is a workload under one injector, with those of its pods that are shown.
type owner struct {
	audit.Group // of all its pods
	rows        []audit.Row
}

// owners returns the workloads of the rows, in the order of their first pods.
func (p Page) owners() []*owner {
	groups := p.groups()
	var owners []*owner
	for _, pods := range page.By(p.Audit.Rows, (*audit.Row).GroupKey) {
		o := &owner{Group: audit.Group{Injector: pods.Key.Injector, Owner: pods.Key.Owner}, rows: pods.Rows}
		if g := groups[pods.Key]; g != nil {
			o.Group = *g
		}
		if o.Counts == nil {
			o.Counts = CountsOf(o.rows)
		}
		owners = append(owners, o)
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

// lines returns the lines of workloads, worst first. Pods that are skipped have none, and those that are current only
// if no other pod of the workload is in another state.
func lines(owners []*owner) []line {
	var all []line
	for _, o := range owners {
		for _, pods := range page.By(o.rows, stateOf) {
			isBeside := pods.Key == audit.Current && CountsOf(o.rows).notSkipped() > len(pods.Rows)
			if pods.Key != audit.Skipped && !isBeside {
				all = append(all, line{owner: o, state: pods.Key, rows: pods.Rows, reason: o.reasonOf(pods.Rows)})
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
