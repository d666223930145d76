package main

import "path/filepath"

// startup measures a run with hardly any work.
func startup(shop *workshop, settings settings) (table, []goal, error) {
	list, err := writeList(filepath.Join(shop.dir, "list.yaml"), 10, injector)
	if err != nil {
		return table{}, nil, err
	}
	runs := settings.runs(51)
	ten := &contestant{name: "pillion, 10 workloads", path: shop.pillion, reads: list, sidecars: 10, runs: runs}
	contestants := []*contestant{
		ten,
		{name: "pillion version", path: shop.pillion, args: []string{"version"}, runs: runs},
		{name: "the limit: a Go program that copies nothing", path: shop.copy, runs: runs},
	}
	if err := takeTurns(shop, "start-up", contestants); err != nil {
		return table{}, nil, err
	}
	t := comparisonHead("start-up")
	for _, c := range contestants {
		addComparison(&t, c, ten)
	}
	return t, nil, nil
}
