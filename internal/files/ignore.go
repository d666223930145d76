package files

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	gitignore "github.com/monochromegane/go-gitignore"
)

// ignoreFiles are the files that say what of a directory is nobody's business: kpt's and git's.
var ignoreFiles = []string{".krmignore", ".gitignore"}

// maxIgnoreBytes bounds an ignore file.
const maxIgnoreBytes = 1 << 20

// ignores are the ignore files that cover a directory.
type ignores []gitignore.IgnoreMatcher

// match tells whether an absolute path is ignored.
func (all ignores) match(name string, isDir bool) bool {
	return slices.ContainsFunc(all, func(m gitignore.IgnoreMatcher) bool { return m.Match(name, isDir) })
}

// with adds the ignore files of a directory of a tree.
func (all ignores) with(root *os.Root, dir, home string) (ignores, error) {
	var err error
	for _, name := range ignoreFiles {
		at := path.Join(dir, name)
		all, err = slices.Clip(all).add(filepath.Join(home, filepath.FromSlash(at)), func(flag int) (*os.File, error) {
			return root.OpenFile(at, flag, 0)
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// ignoresAbove are git's ignore files above a directory, up to the repository's root; none
// where it is in no repository.
func ignoresAbove(home string) (ignores, error) {
	var all ignores
	var failed error
	for dir := home; ; dir = filepath.Dir(dir) {
		if name := filepath.Join(dir, ".gitignore"); dir != home && failed == nil {
			all, failed = all.add(name, func(flag int) (*os.File, error) { return os.OpenFile(name, flag, 0) })
		}
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return all, failed
		}
		if dir == filepath.Dir(dir) {
			return nil, nil
		}
	}
}

// add adds the ignore file of a name; most directories have none. One that cannot be read is an
// error: without it, files would be changed that it protects.
func (all ignores) add(name string, open func(flag int) (*os.File, error)) (ignores, error) {
	text, err := readRegular(open, maxIgnoreBytes)
	if err == nil {
		text, err = ignoreLines(text)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return all, nil
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read, so what to leave alone is not known; correct or remove it: %w", name, err)
	}
	return append(all, gitignore.NewGitIgnoreFromReader(filepath.Dir(name), bytes.NewReader(text))), nil
}
