package oci

import (
	"maps"
	"slices"
)

// descriptions are the labels that describe programs, by their names. They are the same in the Dockerfile.
var descriptions = map[string]string{
	"pillion":       "A KRM function that puts sidecars into pods before the manifests reach the cluster",
	"pillion-audit": "Watches a cluster for pods that lack a declared sidecar, or run an old one",
}

// Programs returns the names of the programs that have an image.
func Programs() []string { return slices.Sorted(maps.Keys(descriptions)) }
