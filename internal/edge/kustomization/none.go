//go:build nokustomize

// Package kustomization builds no kustomizations in the container image, which is a quarter smaller without kustomize
// and does not need it: kustomize and kpt run the image on manifests that are built already.
package kustomization

import "fmt"

// Build returns an error that describes an alternative.
func Build(dir string) ([]byte, error) {
	return BuildWithin("", dir)
}

// BuildWithin returns the same error as Build.
func BuildWithin(_, dir string) ([]byte, error) {
	return nil, fmt.Errorf("-k is not supported in the container image; use a pipe: kustomize build %s | pillion ... -f -", dir)
}
