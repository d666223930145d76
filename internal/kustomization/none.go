//go:build nokustomize

// Package kustomization cannot build kustomizations here. The container image does not need it, because kustomize and kpt run
// the image on manifests that are built already, and is a quarter smaller without.
package kustomization

import "fmt"

// Build returns an error that describes an alternative.
func Build(dir string) ([]byte, error) {
	return BuildWithin("", dir)
}

// BuildWithin returns the same error as Build.
func BuildWithin(_, dir string) ([]byte, error) {
	return nil, fmt.Errorf("the Pillion of the container image does not support -k; use a pipe: kustomize build %s | pillion ... -f -", dir)
}
