package main

import (
	"fmt"
	"path/filepath"
)

// explain measures writing an HTML page about many workloads, next to injecting into them.
func explain(shop *workshop, settings settings) (table, []goal, error) {
	n, runs := settings.plan.explained, settings.runs(7)
	documents, err := writeDocuments(filepath.Join(shop.dir, "documents.yaml"), n)
	if err != nil {
		return table{}, nil, err
	}
	config, err := shop.writeInjector()
	if err != nil {
		return table{}, nil, err
	}
	last := fmt.Sprintf("web-%d<", n-1)
	html := &contestant{name: "pillion explain -o html", args: []string{"explain", "-c", config, "-o", "html"}, check: holds(1, last)}
	inject := &contestant{name: "pillion inject", args: []string{"inject", "-c", config}, check: holdsSidecars(n)}
	for _, c := range []*contestant{html, inject} {
		c.path, c.reads, c.runs = shop.pillion, documents, runs
	}
	t, err := against(shop, fmt.Sprintf("explain, %s workloads", thousands(n)), html, inject, copying(shop, documents, runs))
	return t, nil, err
}
