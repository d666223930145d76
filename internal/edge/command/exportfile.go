package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/export/patch"
)

// writeExport writes an export to a file in a directory. It overwrites the file of an earlier export, and no other
// file.
func writeExport(ctx context.Context, dir, name string, text []byte) error {
	if isMeantAsFile(dir) {
		return fmt.Errorf("--dir takes a directory and writes %s to it, found %s; name the directory, "+
			"or redirect standard output to a file", name, dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	const remedy = "move it away, or write to another directory"
	path := filepath.Join(dir, name)
	present, err := files.ReadRegular(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return create(newFile{path, string(text), remedy})
	case err != nil:
		return err
	case bytes.Equal(present, text):
		return nil
	case !bytes.HasPrefix(present, []byte(patch.Mark)):
		return fmt.Errorf("%s exists and was not written by pillion export; %s", path, remedy)
	}
	return files.Write(ctx, []files.Change{{Path: path, Before: present, After: text}})
}

// isMeantAsFile reports whether a path is that of a file, or of nothing and has the extension of one.
func isMeantAsFile(path string) bool {
	hasExtension := filepath.Ext(path) == ".yaml" || filepath.Ext(path) == ".yml"
	return isFile(path) || hasExtension && !exists(path)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}
