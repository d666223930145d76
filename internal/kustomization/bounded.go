//go:build !nokustomize

package kustomization

import (
	"fmt"
	"path/filepath"

	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// bounded is a disk on which nothing outside of root is there to be read: kustomize keeps the files of a kustomization inside
// of its directory, but lets it name other directories anywhere.
type bounded struct {
	filesys.FileSystem
	root string // without links
}

func newBounded(disk filesys.FileSystem, root string) (bounded, error) {
	root, err := realPath(root)
	return bounded{disk, root}, err
}

// realPath is a path from the top, without links.
func realPath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

// check refuses what is outside, by links too. Of what is not there, the path alone is looked at.
func (b bounded) check(path string) error {
	found, err := realPath(path)
	if err != nil {
		if found, err = filepath.Abs(path); err != nil {
			return err
		}
	}
	if inside, err := filepath.Rel(b.root, found); err != nil || !filepath.IsLocal(inside) {
		return fmt.Errorf("%s leads out of the repository, and nothing outside is read; copy it into the tree", path)
	}
	return nil
}

// CleanedAbs is where kustomize begins with each directory.
func (b bounded) CleanedAbs(path string) (filesys.ConfirmedDir, string, error) {
	if err := b.check(path); err != nil {
		return "", "", err
	}
	return b.FileSystem.CleanedAbs(path)
}

// Exists is false for what is outside.
func (b bounded) Exists(path string) bool { return b.check(path) == nil && b.FileSystem.Exists(path) }

// IsDir is false for what is outside.
func (b bounded) IsDir(path string) bool { return b.check(path) == nil && b.FileSystem.IsDir(path) }

// Open refuses what is outside.
func (b bounded) Open(path string) (filesys.File, error) {
	if err := b.check(path); err != nil {
		return nil, err
	}
	return b.FileSystem.Open(path)
}

// ReadFile refuses what is outside.
func (b bounded) ReadFile(path string) ([]byte, error) {
	if err := b.check(path); err != nil {
		return nil, err
	}
	return b.FileSystem.ReadFile(path)
}

// ReadDir refuses what is outside.
func (b bounded) ReadDir(path string) ([]string, error) {
	if err := b.check(path); err != nil {
		return nil, err
	}
	return b.FileSystem.ReadDir(path)
}

// Walk refuses what is outside.
func (b bounded) Walk(path string, visit filepath.WalkFunc) error {
	if err := b.check(path); err != nil {
		return err
	}
	return b.FileSystem.Walk(path, visit)
}

// Glob leaves out what is outside.
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
