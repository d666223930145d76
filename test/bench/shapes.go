package main

import (
	"fmt"
	"path/filepath"
	"strings"
)

// shape is an input that is written differently from that of the comparison.
type shape struct {
	name string
	list text
}

// shapes compares Pillion with kyaml for manifests of many kinds and layouts, so that nothing is fast for one template only.
func shapes(shop *workshop, settings settings) (table, []goal, error) {
	n := settings.plan.shaped
	all, err := allShapes()
	if err != nil {
		return table{}, nil, err
	}
	title := fmt.Sprintf("shapes, %s resources", thousands(n*resourcesPerWorkload))
	t := comparisonHead(title)
	for _, s := range all {
		list, err := s.list.write(filepath.Join(shop.dir, "shape.yaml"), n)
		if err != nil {
			return table{}, nil, err
		}
		contestants := []*contestant{
			{name: "pillion", path: shop.pillion, reads: list, check: holdsSidecars(n), runs: settings.runs(11)},
			{name: "kyaml read + merge2 + write", path: shop.kyaml, reads: list, check: holdsSidecars(n), runs: settings.runs(3)},
			copying(shop, list, settings.runs(11)),
		}
		if err := takeTurns(shop, title+", "+s.name, contestants); err != nil {
			return table{}, nil, err
		}
		t.add()
		t.add(s.name + ", " + megabytes(list.bytes))
		for _, c := range contestants {
			addComparison(&t, c, contestants[0])
		}
	}
	return t, nil, nil
}

func allShapes() ([]shape, error) {
	varied, err := variedWorkloads()
	if err != nil {
		return nil, err
	}
	json, err := jsonWorkloads()
	if err != nil {
		return nil, err
	}
	return []shape{
		{name: fmt.Sprintf("%d varied workloads", len(varied)), list: newList(varied, plainInjector)},
		{name: "JSON items", list: newList(json, plainInjector)},
		{name: "CRLF line endings", list: newList([]string{workload}, plainInjector).crlf()},
	}, nil
}

// crlf returns the same text with the line endings of Windows.
func (t text) crlf() text {
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	windows := text{head: crlf(t.head), tail: crlf(t.tail)}
	for _, w := range t.workloads {
		windows.workloads = append(windows.workloads, crlf(w))
	}
	return windows
}
