package auditreport

import (
	"cmp"
	"slices"

	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/output/page"
)

// workload is a workload under one injector, with those of its pods that are shown.
type workload struct {
	audit.Group // of all its pods
	rows        []audit.Row
}

// workloads returns the workloads of the rows, in the order of their first pods.
func (p Page) workloads() []*workload {
	groups := p.groups()
	var all []*workload
	for _, pods := range page.By(p.Audit.Rows, (*audit.Row).GroupKey) {
		w := &workload{Group: audit.Group{Injector: pods.Key.Injector, Creator: pods.Key.Creator}, rows: pods.Rows}
		if g := groups[pods.Key]; g != nil {
			w.Group = *g
		}
		if w.Counts == nil {
			w.Counts = CountsOf(w.rows)
		}
		all = append(all, w)
	}
	return all
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
	*workload
	state  audit.State
	rows   []audit.Row
	reason string
}

// lines returns the lines of workloads, worst first. Pods that are skipped have none, and those that are current only
// if no other pod of the workload is in another state.
func lines(workloads []*workload) []line {
	var all []line
	for _, w := range workloads {
		for _, pods := range page.By(w.rows, stateOf) {
			isBeside := pods.Key == audit.Current && CountsOf(w.rows).notSkipped() > len(pods.Rows)
			if pods.Key != audit.Skipped && !isBeside {
				all = append(all, line{workload: w, state: pods.Key, rows: pods.Rows, reason: w.reasonOf(pods.Rows)})
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
		cmp.Compare(a.Creator.Namespace, b.Creator.Namespace), cmp.Compare(a.Creator.Kind, b.Creator.Kind),
		cmp.Compare(a.Creator.Name, b.Creator.Name),
		cmp.Compare(a.Creator.APIVersion, b.Creator.APIVersion), cmp.Compare(a.Injector, b.Injector),
	)
}
