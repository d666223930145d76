package files

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Reencoding returns the .gitattributes of repositories, in the directories of files or above them, by which git may
// write other texts to the disk than it has: some controllers read what it has.
func Reencoding(paths []string) []string {
	var found []string
	isKnown := map[string]bool{} // directories as they are written, and .gitattributes by their real paths
	for _, path := range paths {
		if isKnown[filepath.Dir(path)] {
			continue
		}
		isKnown[filepath.Dir(path)] = true
		dir := RealPath(filepath.Dir(path))
		repository := Repository(dir)
		for isIn := repository != ""; isIn; dir = filepath.Dir(dir) {
			attributes := filepath.Join(dir, ".gitattributes")
			if !isKnown[attributes] && reencodes(attributes) {
				shown, err := filepath.Rel(RealPath("."), attributes)
				if err != nil { // it is on another volume
					shown = attributes
				}
				found = append(found, shown)
			}
			isIn = dir != repository && !isKnown[attributes]
			isKnown[attributes] = true
		}
	}
	return found
}

// reencodes reports whether a .gitattributes has an encoding for the disk, or cannot be read.
func reencodes(path string) bool {
	text, err := readRegular(os.OpenFile, path, maxIgnoreBytes)
	return !errors.Is(err, fs.ErrNotExist) && (err != nil || bytes.Contains(text, []byte("working-tree-encoding")))
}
