package kustomization

import (
	"path/filepath"

	"pillion.dev/pillion/internal/edge/files"
)

// Namespace returns the namespace that the kustomization in a directory sets; empty if it sets none, or cannot be read,
// as Build reports. kustomize writes it to the objects that it knows to be in a namespace, so this is for the others.
func Namespace(dir string) string {
	for _, name := range files.Kustomizations() { // at most one of them exists
		var fields struct {
			Namespace string `json:"namespace"`
		}
		text, err := files.ReadRegular(filepath.Join(dir, name))
		if err == nil && files.DecodeKustomization(text, &fields) == nil {
			return fields.Namespace
		}
	}
	return ""
}
