package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/outcome"
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
	for i, percent := range percentages(parts) {
		out[i].Percent = percent
	}
	return out
}

// percentages returns the parts as rounded percentages of their sum. These add up to 100 if less than 1 counts as 1: what is
// left after rounding down is added to those that lost the most by it. Only the whole is 100%.
func percentages(parts []int) []string {
	whole := 0
	for _, part := range parts {
		whole += part
	}
	shares, left := make([]int, len(parts)), 100
	order := make([]int, len(parts))
	for i, part := range parts {
		shares[i], order[i] = 100*part/whole, i
		left -= max(shares[i], 1)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(100*parts[b]%whole, 100*parts[a]%whole) })
	for _, i := range order {
		if left > 0 && shares[i] > 0 {
			shares[i]++
			left--
		}
	}
	words := make([]string, len(parts))
	for i, share := range shares {
		words[i] = fmt.Sprintf("%d%%", share)
		if share == 0 {
			words[i] = "<1%"
		}
	}
	return words
}

// namespaceBar is a namespace with a bar of what happens in it.
type namespaceBar struct {
	Name  string
	Count int
	Words string // 9 injected, 1 skipped
	Parts []barPart
}

// barPart is the part of a bar for one decision, in thousandths of the longest bar.
type barPart struct {
	Decision outcome.Decision
	X, Width int
}

const barLength = 1000

// namespaceBars returns the namespaces, the one with the most workloads first.
func namespaceBars(rows []row, dryRun bool) []namespaceBar {
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
	bars := make([]namespaceBar, 0, len(grouped))
	for name, counts := range grouped {
		bar := namespaceBar{Name: name, Count: counts.Workloads(), Words: counts.Words(dryRun)}
		before := 0
		for _, d := range outcome.Decisions {
			if counts[d] > 0 {
				start, end := before*barLength/most, (before+counts[d])*barLength/most
				bar.Parts = append(bar.Parts, barPart{d, start, end - start})
				before += counts[d]
			}
		}
		bars = append(bars, bar)
	}
	slices.SortFunc(bars, func(a, b namespaceBar) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Name, b.Name))
	})
	return bars
}
