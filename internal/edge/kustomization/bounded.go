package kustomization

import (
	"fmt"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/filesys"

	"pillion.dev/pillion/internal/edge/files"
)

// bounded is a file system that has only the files under root. kustomize requires that the files of a kustomization are
// in its directory, but lets it refer to directories anywhere.
type bounded struct {
	filesys.FileSystem
	root string // its real path
}

// check returns an error if a path, after its symbolic links are followed, is outside of root.
func (b bounded) check(path string) error {
	if inside, err := filepath.Rel(b.root, files.RealPath(path)); err != nil || !filepath.IsLocal(inside) {
		return fmt.Errorf("%s leads out of the repository, and Pillion reads nothing outside of it; copy it into the repository", path)
	}
	return nil
}

// checked calls a function with a path, unless the path is outside of root.
func checked[T any](b bounded, path string, call func(path string) (T, error)) (T, error) {
	if err := b.check(path); err != nil {
		var none T
		return none, err
	}
	return call(path)
}

// CleanedAbs is what kustomize calls first for each directory.
func (b bounded) CleanedAbs(path string) (filesys.ConfirmedDir, string, error) {
	if err := b.check(path); err != nil {
		return "", "", err
	}
	return b.FileSystem.CleanedAbs(path)
}

func (b bounded) Exists(path string) bool { return b.check(path) == nil && b.FileSystem.Exists(path) }

func (b bounded) IsDir(path string) bool { return b.check(path) == nil && b.FileSystem.IsDir(path) }

func (b bounded) Open(path string) (filesys.File, error) { return checked(b, path, b.FileSystem.Open) }

func (b bounded) ReadFile(path string) ([]byte, error) {
	return checked(b, path, b.FileSystem.ReadFile)
}

func (b bounded) ReadDir(path string) ([]string, error) {
	return checked(b, path, b.FileSystem.ReadDir)
}

func (b bounded) Walk(path string, visit filepath.WalkFunc) error {
	if err := b.check(path); err != nil {
		return err
	}
	return b.FileSystem.Walk(path, visit)
}

func (b bounded) Glob(pattern string) ([]string, error) {
	found, err := b.FileSystem.Glob(pattern)
	return slices.DeleteFunc(found, func(path string) bool { return b.check(path) != nil }), err
}
