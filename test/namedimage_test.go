package test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// runByTestImage has the files of a copied pipeline name the image under test where they name another. The other name is not
// given to it: an engine is shared by all who test on a machine.
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
