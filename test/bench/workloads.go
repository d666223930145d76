package main

import (
	_ "embed"
	"strconv"
	"strings"

	"pillion.dev/pillion/test/resourcelist"
)

//go:embed workload.yaml
var workload string

//go:embed injector.yaml
var injector string

// workloads is a ResourceList of n Deployments of 80 lines, each with its Service and its ConfigMap.
func workloads(n int) []byte {
	documents := resourcelist.Documents(workload)
	items := make([]string, 0, n*len(documents))
	for i := range n {
		number := strconv.Itoa(i)
		for _, document := range documents {
			items = append(items, strings.ReplaceAll(document, "NUMBER", number))
		}
	}
	return []byte(resourcelist.Wrap(items, injector))
}
