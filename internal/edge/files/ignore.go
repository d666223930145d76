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
	"sync"
)

// gitIgnore and krmIgnore are the names of the ignore files of git and kpt.
const (
	gitIgnore = ".gitignore"
	krmIgnore = ".krmignore"
)

// maxIgnoreBytes bounds an ignore file.
const maxIgnoreBytes = 1 << 20

// ignores are the ignore files that apply to a directory: git's and kpt's, which do not know of each other.
type ignores struct {
	git, kpt ignoreFiles
	index    func() *gitIndex // nil outside of a repository
}

func newGitIndex(root string) func() *gitIndex {
	return sync.OnceValue(func() *gitIndex { return readGitIndex(root) })
}

// track reports whether git tracks a file, or anything in a directory, by its absolute path, or may do so.
func (i ignores) track(name string) bool {
	return i.index == nil || i.index().tracks(filepath.ToSlash(name))
}

// ignore finds out whether ignore files exclude something in a directory, by its absolute path.
func (r *reading) ignore(dir *directory, name string, isDir bool) error {
	name = filepath.ToSlash(name)
	r.steps -= ignoreStepsPerFile
	dir.byGit = dir.byGit || dir.ignores.git.match(name, isDir, &r.steps)
	dir.byKpt = dir.byKpt || dir.ignores.kpt.match(name, isDir, &r.steps)
	if r.steps > maxIgnoreSteps {
		return errors.New("the ignore files (.gitignore, .krmignore) have too many patterns with wildcards " +
			"for so many files; remove some, or read fewer directories")
	}
	return nil
}

// with returns the ignore files together with those of a directory of a tree.
func (i ignores) with(t *tree, dir string) (ignores, error) {
	var err error
	git := path.Join(dir, gitIgnore)
	if i.git, err = i.git.add(t.location(git), t.root.OpenFile, git); err != nil {
		return i, err
	}
	kpt := path.Join(dir, krmIgnore)
	i.kpt, err = i.kpt.add(t.location(kpt), t.root.OpenFile, kpt)
	return i, err
}

// ignoresAbove returns git's ignore files in the directories above one, up to the root of its repository. Outside of a
// repository it returns none.
func ignoresAbove(home string) (ignores, error) {
	root := Repository(home)
	if root == "" {
		return ignores{}, nil
	}
	var above []string // from the directory to the root
	for dir := home; dir != root; dir = filepath.Dir(dir) {
		above = append(above, filepath.Join(filepath.Dir(dir), gitIgnore))
	}
	all := ignores{index: newGitIndex(root)}
	var err error
	for _, file := range slices.Backward(above) {
		if all.git, err = all.git.add(file, os.OpenFile, file); err != nil {
			return ignores{}, err
		}
	}
	return all, nil
}

// Repository returns the root of the repository that a directory is in, given its real path, or "".
func Repository(dir string) string {
	for ; !isRepository(dir); dir = filepath.Dir(dir) {
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
	return dir
}

func isRepository(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

// ignoreFiles are the ignore files of one tool, from the top of the tree to the bottom.
type ignoreFiles []ignoreFile

type ignoreFile struct {
	dir      string // its absolute path, with slashes and one at the end
	patterns []ignorePattern
}

// match reports whether an absolute path is ignored: the last pattern that matches it decides, and the file nearest to
// it comes last. It counts the steps, and ends early if there are too many.
func (all ignoreFiles) match(name string, isDir bool, steps *int) bool {
	for _, file := range slices.Backward(all) {
		inside, isInside := strings.CutPrefix(name, file.dir)
		if !isInside {
			continue
		}
		for _, p := range slices.Backward(file.patterns) {
			if p.match(inside, isDir, steps) || *steps > maxIgnoreSteps {
				return !p.negated
			}
		}
	}
	return false
}

// add adds the ignore file at an absolute path, if there is one, given the name by which it is opened. A file that
// cannot be read is an error, because the files that it protects would be changed.
func (all ignoreFiles) add(at string, open openFile, name string) (ignoreFiles, error) {
	var patterns []ignorePattern
	text, err := readRegular(open, name, maxIgnoreBytes)
	if err == nil {
		patterns, err = readIgnorePatterns(text)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return all, nil
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read, so it is unknown which files to ignore; correct or remove it: %w",
			at, err)
	}
	dir := strings.TrimSuffix(filepath.ToSlash(filepath.Dir(at)), "/") + "/"
	return append(slices.Clip(all), ignoreFile{dir: dir, patterns: patterns}), nil
}
