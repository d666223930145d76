package main

import (
	"fmt"
	"path/filepath"
)

var timesEmpty = limits{floor: 3, goal: 2.5}

// startup measures a run with hardly any work.
func startup(shop *workshop, settings settings) (table, []goal, error) {
	n := settings.plan.started
	list, err := writeList(filepath.Join(shop.dir, "list.yaml"), n, injector)
	if err != nil {
		return table{}, nil, err
	}
	runs := settings.runs(101)
	few := &contestant{name: fmt.Sprintf("pillion, %d workloads", n), path: shop.pillion, reads: list, check: holdsSidecars(n), runs: runs}
	version := &contestant{name: "pillion version", path: shop.pillion, args: []string{"version"}, runs: runs}
	empty := &contestant{name: "the limit: an empty Go program", path: shop.empty, runs: runs}
	t, err := against(shop, "start-up", few, version, empty)
	if err != nil {
		return table{}, nil, err
	}
	return t, []goal{timeGoal("time of pillion version, times an empty program", "start-up", timesEmpty, atMost, empty, version)}, nil
}
