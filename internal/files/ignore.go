package files

import (
	"bytes"
	"io"
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
func (all ignores) with(root *os.Root, dir, home string) ignores {
	for _, name := range ignoreFiles {
		file, err := root.Open(path.Join(dir, name))
		if err != nil {
			continue // most directories have none
		}
		all = slices.Clip(all).add(filepath.Join(home, filepath.FromSlash(dir)), file)
	}
	return all
}

// ignoresAbove are git's ignore files above a directory, up to the repository's root; none
// where it is in no repository.
func ignoresAbove(home string) ignores {
	var all ignores
	for dir := home; ; dir = filepath.Dir(dir) {
		if dir != home {
			if file, err := os.Open(filepath.Join(dir, ".gitignore")); err == nil {
				all = all.add(dir, file)
			}
		}
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return all
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

func (all ignores) add(base string, file *os.File) ignores {
	defer file.Close() //nolint:errcheck // it was only read
	text, err := io.ReadAll(io.LimitReader(file, maxIgnoreBytes))
	if err != nil {
		return all
	}
	return append(all, gitignore.NewGitIgnoreFromReader(base, bytes.NewReader(text)))
}
