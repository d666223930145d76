package test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// runByTestImage replaces the name of an image in the files of a pipeline by the image under test. It does not tag that
// image with the name, because other tests on the machine may use the same Docker engine.
func runByTestImage(t *testing.T, dir, name string) {
	t.Helper()
	tested := image(t)
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		if before := readFile(t, path); strings.Contains(before, name) {
			writeFile(t, path, strings.ReplaceAll(before, name, tested))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
