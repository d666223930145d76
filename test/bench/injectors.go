package main

import (
	"fmt"
	"path/filepath"
)

const injectorCount = 2 * teams // two for each team, and therefore for each workload

var timesOne = limits{floor: 2, goal: 1.5}

// injectors compares many injectors, two of which select each workload, with one that selects them all.
func injectors(shop *workshop, settings settings) (table, []goal, error) {
	n := settings.plan.injected
	single, err := writeList(filepath.Join(shop.dir, "one.yaml"), n, injector)
	if err != nil {
		return table{}, nil, err
	}
	list, err := writeList(filepath.Join(shop.dir, "many.yaml"), n, injectorList(injectorCount))
	if err != nil {
		return table{}, nil, err
	}
	runs := settings.runs(21)
	one := &contestant{name: "1 injector", path: shop.pillion, reads: single, check: holdsSidecars(n), runs: runs}
	many := &contestant{
		name: fmt.Sprintf("%d injectors, 2 for each workload", injectorCount),
		path: shop.pillion, reads: list, check: holdsSidecars(2 * n), runs: runs,
	}
	title := fmt.Sprintf("injectors, %s workloads", thousands(n))
	t, err := against(shop, title, one, many)
	if err != nil {
		return table{}, nil, err
	}
	name := fmt.Sprintf("time with %d injectors, times with one", injectorCount)
	return t, []goal{timeGoal(name, thousands(n)+" workloads", timesOne, atMost, one, many)}, nil
}
