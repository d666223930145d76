package main

import (
	"fmt"
	"path/filepath"
)

const (
	injectedWorkloads = 1000
	injectorCount     = 2 * teams // two for each team, and therefore for each workload
	mostTimesOne      = 5
)

// injectors compares many injectors, two of which select each workload, with one that selects them all.
func injectors(shop *workshop, settings settings) (table, []goal, error) {
	single, err := writeList(filepath.Join(shop.dir, "one.yaml"), injectedWorkloads, injector)
	if err != nil {
		return table{}, nil, err
	}
	list, err := writeList(filepath.Join(shop.dir, "many.yaml"), injectedWorkloads, injectorList(injectorCount))
	if err != nil {
		return table{}, nil, err
	}
	runs := settings.runs(11)
	one := &contestant{name: "1 injector", path: shop.pillion, reads: single, sidecars: injectedWorkloads, runs: runs}
	many := &contestant{
		name: fmt.Sprintf("%d injectors, 2 for each workload", injectorCount),
		path: shop.pillion, reads: list, sidecars: 2 * injectedWorkloads, runs: runs,
	}
	title := fmt.Sprintf("injectors, %s workloads", thousands(injectedWorkloads))
	if err := takeTurns(shop, title, []*contestant{one, many}); err != nil {
		return table{}, nil, err
	}
	t := comparisonHead(title)
	addComparison(&t, one, one)
	addComparison(&t, many, one)
	return t, []goal{{
		name: fmt.Sprintf("%d injectors, times the time of one", injectorCount), at: thousands(injectedWorkloads) + " workloads",
		limit: mostTimesOne, bound: atMost, measured: one.timesFaster(many), doubtful: one.keptWaiting() || many.keptWaiting(),
	}}, nil
}
