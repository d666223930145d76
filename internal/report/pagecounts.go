package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/outcome"
	"pillion.dev/pillion/internal/webpage"
)

// tile is one count at the top of the page.
type tile struct {
	Decision outcome.Decision
	Label    string
	Count    int
	Percent  string
}

// tiles returns a tile for each decision that occurs.
func tiles(p Page) []tile {
	counts := p.Run.Counts()
	var out []tile
	var parts []int
	for _, d := range outcome.Decisions {
		if counts[d] > 0 {
			out = append(out, tile{Decision: d, Label: p.label(d), Count: counts[d]})
			parts = append(parts, counts[d])
		}
	}
	for i, percent := range webpage.Percentages(parts) {
		out[i].Percent = percent
	}
	return out
}

// namespaceBars returns the namespaces, the one with the most workloads first.
func namespaceBars(rows []row, dryRun bool) []webpage.Bar {
	grouped := map[string]outcome.Counts{}
	most := 0
	for _, r := range rows {
		name := namespaceOf(r)
		if grouped[name] == nil {
			grouped[name] = outcome.Counts{}
		}
		grouped[name][r.decision]++
		most = max(most, grouped[name].Workloads())
	}
	names := slices.SortedFunc(maps.Keys(grouped), func(a, b string) int {
		return cmp.Or(cmp.Compare(grouped[b].Workloads(), grouped[a].Workloads()), strings.Compare(a, b))
	})
	bars := make([]webpage.Bar, len(names))
	for i, name := range names {
		classes, counts := make([]string, len(outcome.Decisions)), make([]int, len(outcome.Decisions))
		for j, d := range outcome.Decisions {
			classes[j], counts[j] = string(d), grouped[name][d]
		}
		bars[i] = webpage.Bar{Name: name, Words: grouped[name].Words(dryRun), Parts: webpage.NewParts(classes, counts, most)}
	}
	return bars
}
