//go:build nokustomize

// Package kustomization builds no kustomization here: the container image does without, and is
// a quarter smaller for it, since kustomize and kpt run it on what is built already.
package kustomization

import "fmt"

// Build says how to do without.
func Build(dir string) ([]byte, error) {
	return BuildWithin("", dir)
}

// BuildWithin says the same.
func BuildWithin(_, dir string) ([]byte, error) {
	return nil, fmt.Errorf("this build of Pillion, the one for the container image, has no -k; pipe instead: kustomize build %s | pillion ... -f -", dir)
}
