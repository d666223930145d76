package command

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"pillion.dev/pillion/internal/export"
	"pillion.dev/pillion/internal/files"
)

// writeExport writes an export into a directory, whole or not at all. A file that an export
// wrote before is written again; one that a person wrote is never touched.
func writeExport(dir, name string, text []byte) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	path := filepath.Join(dir, name)
	present, err := files.ReadRegular(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case bytes.Equal(present, text):
		return nil
	case !bytes.HasPrefix(present, []byte(export.Mark)):
		return fmt.Errorf("%s is there already and was not made by pillion export; move it away, or write to another directory", path)
	}
	return replaceFile(path, text)
}

// replaceFile puts a file in its place when it is complete, so that no one ever reads half of it.
func replaceFile(path string, text []byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".pillion-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) //nolint:errcheck // it is gone where all went well
	_, err = file.Write(text)
	err = errors.Join(err, file.Chmod(0o644), file.Close())
	if err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
