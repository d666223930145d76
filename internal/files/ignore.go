package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// gitIgnore and krmIgnore are the names of the ignore files of git and kpt.
const (
	gitIgnore = ".gitignore"
	krmIgnore = ".krmignore"
)

// maxIgnoreBytes bounds an ignore file.
const maxIgnoreBytes = 1 << 20

// ignores are the ignore files that apply to a directory: git's and kpt's, which do not know of each other.
type ignores struct{ git, krm ignoreFiles }

// match reports whether an absolute path is ignored.
func (i ignores) match(name string, isDir bool) bool {
	name = filepath.ToSlash(name)
	return i.git.match(name, isDir) || i.krm.match(name, isDir)
}

// with returns the ignore files together with those of a directory of a tree.
func (i ignores) with(t *tree, dir string) (ignores, error) {
	open := func(file string) func(flag int) (*os.File, error) {
		return func(flag int) (*os.File, error) { return t.root.OpenFile(path.Join(dir, file), flag, 0) }
	}
	git, err := i.git.add(t.absolute(path.Join(dir, gitIgnore)), open(gitIgnore))
	if err != nil {
		return ignores{}, err
	}
	krm, err := i.krm.add(t.absolute(path.Join(dir, krmIgnore)), open(krmIgnore))
	return ignores{git: git, krm: krm}, err
}

// ignoresAbove returns git's ignore files in the directories above one, up to the root of its repository. Outside of a
// repository it returns none.
func ignoresAbove(home string) (ignores, error) {
	var above []string // from the directory to the root
	for dir := home; ; dir = filepath.Dir(dir) {
		if dir != home {
			above = append(above, filepath.Join(dir, gitIgnore))
		}
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			return ignores{}, nil
		}
	}
	var all ignoreFiles
	var err error
	for _, file := range slices.Backward(above) {
		all, err = all.add(file, func(flag int) (*os.File, error) { return os.OpenFile(file, flag, 0) })
		if err != nil {
			return ignores{}, err
		}
	}
	return ignores{git: all}, nil
}

// ignoreFiles are the ignore files of one tool, from the top of the tree to the bottom.
type ignoreFiles []ignoreFile

type ignoreFile struct {
	dir      string // its absolute path, with slashes and one at the end
	patterns []ignorePattern
}

// match reports whether an absolute path is ignored: the last pattern that matches it decides, and the file nearest to it
// comes last.
func (all ignoreFiles) match(name string, isDir bool) bool {
	for _, file := range slices.Backward(all) {
		inside, isInside := strings.CutPrefix(name, file.dir)
		if !isInside {
			continue
		}
		for _, p := range slices.Backward(file.patterns) {
			if p.match(inside, isDir) {
				return !p.negated
			}
		}
	}
	return false
}

// add adds the ignore file at an absolute path, if there is one. A file that cannot be read is an error, because the files
// that it protects would be changed.
func (all ignoreFiles) add(name string, open func(flag int) (*os.File, error)) (ignoreFiles, error) {
	var patterns []ignorePattern
	text, err := readRegular(open, maxIgnoreBytes)
	if err == nil {
		patterns, err = readIgnorePatterns(text)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return all, nil
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read, so it is unknown which files to ignore; correct or remove it: %w", name, err)
	}
	dir := strings.TrimSuffix(filepath.ToSlash(filepath.Dir(name)), "/") + "/"
	return append(slices.Clip(all), ignoreFile{dir: dir, patterns: patterns}), nil
}
