//go:build !nokustomize

package kustomization

import (
	"fmt"
	"path/filepath"

	"sigs.k8s.io/kustomize/kyaml/filesys"

	"pillion.dev/pillion/internal/files"
)

// bounded is a file system that has only the files under root. kustomize requires that the files of a kustomization are in its
// directory, but lets it refer to directories anywhere.
type bounded struct {
	filesys.FileSystem
	root string // its real path
}

// check returns an error if a path, after its symbolic links are followed, is outside of root.
func (b bounded) check(path string) error {
	if inside, err := filepath.Rel(b.root, files.RealPath(path)); err != nil || !filepath.IsLocal(inside) {
		return fmt.Errorf("%s leads out of the repository, and nothing outside is read; copy it into the tree", path)
	}
	return nil
}

// CleanedAbs returns an error for a path outside of root. kustomize calls it first for each directory.
func (b bounded) CleanedAbs(path string) (filesys.ConfirmedDir, string, error) {
	if err := b.check(path); err != nil {
		return "", "", err
	}
	return b.FileSystem.CleanedAbs(path)
}

// Exists returns false for a path outside of root.
func (b bounded) Exists(path string) bool { return b.check(path) == nil && b.FileSystem.Exists(path) }

// IsDir returns false for a path outside of root.
func (b bounded) IsDir(path string) bool { return b.check(path) == nil && b.FileSystem.IsDir(path) }

// Open returns an error for a path outside of root.
func (b bounded) Open(path string) (filesys.File, error) {
	if err := b.check(path); err != nil {
		return nil, err
	}
	return b.FileSystem.Open(path)
}

// ReadFile returns an error for a path outside of root.
func (b bounded) ReadFile(path string) ([]byte, error) {
	if err := b.check(path); err != nil {
		return nil, err
	}
	return b.FileSystem.ReadFile(path)
}

// ReadDir returns an error for a path outside of root.
func (b bounded) ReadDir(path string) ([]string, error) {
	if err := b.check(path); err != nil {
		return nil, err
	}
	return b.FileSystem.ReadDir(path)
}

// Walk returns an error for a path outside of root.
func (b bounded) Walk(path string, visit filepath.WalkFunc) error {
	if err := b.check(path); err != nil {
		return err
	}
	return b.FileSystem.Walk(path, visit)
}

// Glob returns only matches inside of root.
func (b bounded) Glob(pattern string) ([]string, error) {
	found, err := b.FileSystem.Glob(pattern)
	inside := found[:0]
	for _, path := range found {
		if b.check(path) == nil {
			inside = append(inside, path)
		}
	}
	return inside, err
}
