package audit

import (
	"context"
	"maps"
	"slices"

	"pillion.dev/pillion/internal/pods/live"
)

// Group is the pods of one creator under one injector.
type Group struct {
	Injector    string
	Creator     live.Creator
	Counts      map[State]int
	Template    State  // of the workload's own pod template; empty if the workload is not in the input
	Cause       Cause  // of why pods are not current; empty if nothing is known
	Explanation string // of the cause, in words
}

// GroupKey identifies a group.
type GroupKey struct {
	Injector string
	Creator  live.Creator
}

// Key returns what identifies the group.
func (g *Group) Key() GroupKey { return GroupKey{g.Injector, g.Creator} }

// GroupKey returns what identifies the group of the row.
func (r *Row) GroupKey() GroupKey { return GroupKey{r.Injector, r.Creator} }

// groupPods is a group with the pods of each revision of its template.
type groupPods struct {
	Group
	revisions map[string]map[State]int
	dropped   int // pods in which restartPolicy of a native sidecar was dropped
}

// Groups returns the groups of rows, in the order of their first rows. If the context ends, explanations are left out.
func (a *Auditor) Groups(ctx context.Context, rows []Row) []Group {
	all := group(rows)
	templates := a.templates(ctx, a.namesOfTemplates(all))
	groups := make([]Group, len(all))
	for i, m := range all {
		m.explain(templates)
		m.explainDropped()
		groups[i] = m.Group
	}
	return groups
}

func group(rows []Row) []*groupPods {
	known := map[GroupKey]*groupPods{}
	var all []*groupPods
	for i := range rows {
		row := &rows[i]
		m := known[row.GroupKey()]
		if m == nil {
			m = &groupPods{
				Group:     Group{Injector: row.Injector, Creator: row.Creator, Counts: map[State]int{}},
				revisions: map[string]map[State]int{},
			}
			known[row.GroupKey()] = m
			all = append(all, m)
		}
		m.Counts[row.State]++
		if m.revisions[row.Revision] == nil {
			m.revisions[row.Revision] = map[State]int{}
		}
		m.revisions[row.Revision][row.State]++
		if row.isDropped() {
			m.dropped++
		}
	}
	return all
}

// namesOfTemplates returns the workloads of groups, and the ReplicaSets and Jobs of pods that are not as declared, each
// once.
func (a *Auditor) namesOfTemplates(all []*groupPods) []live.Creator {
	seen := map[live.Creator]bool{}
	var names []live.Creator
	add := func(name live.Creator) {
		if _, isKnown := a.workloads[name]; isKnown && !seen[name] {
			seen[name], names = true, append(names, name)
		}
	}
	for _, m := range all {
		add(m.Creator)
		for _, revision := range slices.Sorted(maps.Keys(m.revisions)) {
			if unlike(m.revisions[revision]) > 0 {
				for _, name := range m.between(revision) {
					add(name)
				}
			}
		}
	}
	return names
}

// between returns the objects between a workload and its pods of a revision, if that is the name of one.
func (m *groupPods) between(revision string) []live.Creator {
	return []live.Creator{
		{APIVersion: "apps/v1", Kind: "ReplicaSet", Namespace: m.Creator.Namespace, Name: revision},
		{APIVersion: "batch/v1", Kind: "Job", Namespace: m.Creator.Namespace, Name: revision},
	}
}

// unlike returns how many pods are not as declared.
func unlike(counts map[State]int) int { return counts[Missing] + counts[Stale] + counts[Unexpected] }

// pods returns how many pods an injector is for, or was.
func pods(counts map[State]int) int { return unlike(counts) + counts[Current] }
