package kustomization

import (
	"fmt"
	"path/filepath"

	"pillion.dev/pillion/internal/edge/files"
)

// Namespace returns the namespace that the kustomization in a directory sets; empty if it sets none. kustomize writes
// it to the objects that it knows to be in a namespace, so this is for the others.
func Namespace(dir string) (string, error) {
	for _, name := range files.Kustomizations() {
		text, err := files.ReadRegular(filepath.Join(dir, name))
		if err != nil {
			continue // at most one of the names exists, and Build reports why it cannot be read
		}
		var fields struct {
			Namespace string `json:"namespace"`
		}
		if err := files.DecodeKustomization(text, &fields); err != nil {
			return "", fmt.Errorf("%s cannot be read: %w", filepath.Join(dir, name), err)
		}
		return fields.Namespace, nil
	}
	return "", nil
}
