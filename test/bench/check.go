package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// check returns an error if a contestant did not do its work. It reads the file with the output.
type check func(output string) error

// holds checks how often a text is in the output.
func holds(want int, text string) check {
	return func(output string) error {
		found, err := count(output, text)
		if err == nil && found != want {
			err = fmt.Errorf("%q is %d times in its output, want %d", text, found, want)
		}
		return err
	}
}

// holdsSidecars checks the number of injected containers.
func holdsSidecars(want int) check { return holds(want, sidecarImage) }

// treeHolds checks how often a text is in the files of a directory tree.
func treeHolds(dir string, want int, text string) check {
	return func(string) error {
		found := 0
		err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			inFile, err := count(path, text)
			found += inFile
			return err
		})
		if err == nil && found != want {
			err = fmt.Errorf("%q is %d times in the tree, want %d", text, found, want)
		}
		return err
	}
}

// count stops at the function config of a ResourceList, which comes after the items and contains the sidecar as well.
func count(path, text string) (int, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close() //nolint:errcheck // nothing was written to it
	found := 0
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20) // a page of explain has long lines
	for lines.Scan() && string(lines.Bytes()) != "functionConfig:" {
		found += bytes.Count(lines.Bytes(), []byte(text))
	}
	return found, lines.Err()
}
