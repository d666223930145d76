package auditreport

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/webpage"
)

// namespace is a namespace with the states of its pods.
type namespace struct {
	name   string
	counts Counts
}

// namespacesOf returns the namespaces in which pods are not skipped, those with the most pods that are not current first.
func namespacesOf(rows []audit.Row) []namespace {
	byName := map[string]Counts{}
	for i := range rows {
		name := rows[i].Namespace
		if byName[name] == nil {
			byName[name] = Counts{}
		}
		byName[name][rows[i].State]++
	}
	var all []namespace
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		if byName[name].notSkipped() > 0 {
			all = append(all, namespace{name, byName[name]})
		}
	}
	wrong := func(n namespace) int { return n.counts.notSkipped() - n.counts[audit.Current] }
	slices.SortStableFunc(all, func(a, b namespace) int {
		return cmp.Or(cmp.Compare(wrong(b), wrong(a)), cmp.Compare(b.counts.selected(), a.counts.selected()))
	})
	return all
}

// bar returns the coverage as a bar: all pods that the injectors have to do with, and the parts of them in each state.
func (n namespace) bar() webpage.Bar {
	states := []audit.State{audit.Current, audit.Stale, audit.Missing, audit.Refused, audit.Unexpected}
	classes, numbers := make([]string, len(states)), make([]int, len(states))
	for i, state := range states {
		classes[i], numbers[i] = string(state), n.counts[state]
	}
	shown := maps.Clone(n.counts)
	delete(shown, audit.Skipped) // they are not in the bar
	words := shown.String()
	if n.counts.selected() > 0 {
		words = coverage(n.counts) + ": " + words
	}
	return webpage.Bar{
		Name: visible(namespaceName(n.name)), Words: words, Parts: webpage.NewParts(classes, numbers, n.counts.notSkipped()),
	}
}

// coverage returns the share of pods that are as declared among those that should be. Only the whole is 100%.
func coverage(c Counts) string {
	current, selected := c[audit.Current], c.selected()
	if current > 0 && 100*current < selected {
		return "<1%"
	}
	return fmt.Sprintf("%d%%", 100*current/selected)
}
