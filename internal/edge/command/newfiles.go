package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// newFile is a file to create.
type newFile struct {
	path   string
	text   string
	remedy string // for a file that exists
}

// createAll creates all files or none. It never overwrites one.
func createAll(all []newFile) error {
	for i, file := range all {
		if err := create(file); err != nil {
			return errors.Join(err, discard(all[:i]))
		}
	}
	return nil
}

// discard removes files that were created.
func discard(created []newFile) error {
	var all error
	for _, file := range created {
		all = errors.Join(all, os.Remove(file.path))
	}
	return all
}

// create creates a file with its whole text, or none.
func create(f newFile) error {
	file, err := os.OpenFile(f.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists, and is not overwritten; %s", f.path, f.remedy)
	}
	if err != nil {
		return err
	}
	_, err = file.WriteString(f.text)
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, os.Remove(f.path))
	}
	return nil
}
