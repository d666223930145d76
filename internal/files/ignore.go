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

// ignoreFiles are the names of the ignore files of kpt and git.
var ignoreFiles = []string{".krmignore", ".gitignore"}

// maxIgnoreBytes bounds an ignore file.
const maxIgnoreBytes = 1 << 20

// ignores are the ignore files that apply to a directory.
type ignores []gitignore.IgnoreMatcher

// match reports whether an absolute path is ignored.
func (all ignores) match(name string, isDir bool) bool {
	return slices.ContainsFunc(all, func(m gitignore.IgnoreMatcher) bool { return m.Match(name, isDir) })
}

// with returns the ignore files together with those of a directory of a tree.
func (all ignores) with(t *tree, dir string) (ignores, error) {
	var err error
	for _, file := range ignoreFiles {
		name := path.Join(dir, file)
		all, err = slices.Clip(all).add(t.absolute(name), func(flag int) (*os.File, error) { return t.root.OpenFile(name, flag, 0) })
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// ignoresAbove returns git's ignore files in the directories above one, up to the root of its repository. Outside of a
// repository it returns none.
func ignoresAbove(home string) (ignores, error) {
	var all ignores
	var failed error
	for dir := home; ; dir = filepath.Dir(dir) {
		if file := filepath.Join(dir, ".gitignore"); dir != home && failed == nil {
			all, failed = all.add(file, func(flag int) (*os.File, error) { return os.OpenFile(file, flag, 0) })
		}
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return all, failed
		}
		if dir == filepath.Dir(dir) {
			return nil, nil
		}
	}
}

// add adds the ignore file at an absolute path, if there is one. A file that cannot be read is an error, because the files
// that it protects would be changed.
func (all ignores) add(name string, open func(flag int) (*os.File, error)) (ignores, error) {
	text, err := readRegular(open, maxIgnoreBytes)
	if err == nil {
		text, err = convertIgnoreFile(text)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return all, nil
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read, so it is unknown which files to ignore; correct or remove it: %w", name, err)
	}
	return append(all, gitignore.NewGitIgnoreFromReader(filepath.Dir(name), bytes.NewReader(text))), nil
}
