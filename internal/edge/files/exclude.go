package files

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Excludes returns what patterns of --exclude leave out, as a function of a path.
func Excludes(patterns []string) (func(path string) bool, error) {
	found, err := newExclusions(patterns)
	return func(path string) bool { return found.match(location(path)) }, err
}

// exclusions are the files and directories that the user excludes, by their locations.
type exclusions map[string]bool

// newExclusions finds what patterns exclude. A pattern that matches nothing is an error, because it may be a misspelt
// one.
func newExclusions(patterns []string) (exclusions, error) {
	found := exclusions{}
	for _, pattern := range patterns {
		if strings.Contains(strings.TrimSuffix(pattern, "/**"), "**") {
			return found, fmt.Errorf("the pattern %s of --exclude has ** before its end, where it would be one directory; "+
				"name the directories, one for each --exclude", pattern)
		}
		matches := []string{pattern}
		if _, err := os.Lstat(pattern); err != nil {
			if matches, err = globTree(filepath.Clean(pattern)); err != nil {
				return found, fmt.Errorf("the pattern %s of --exclude cannot be read: %w", pattern, err)
			}
		}
		if len(matches) == 0 {
			return found, fmt.Errorf("no file or directory matches --exclude %s; correct it, or remove it", pattern)
		}
		for _, match := range matches {
			found[location(match)] = true
		}
	}
	return found, nil
}

// globTree returns the paths that match a pattern, as filepath.Glob does, except that stars match no links to directories.
// The links of a stranger could lead in circles, and out of the tree.
func globTree(pattern string) ([]string, error) {
	dir, name := filepath.Split(pattern)
	dir = filepath.Clean(dir)
	if !strings.ContainsAny(dir, `*?[`) {
		return filepath.Glob(pattern)
	}
	parents, err := globTree(dir)
	var all []string
	for _, parent := range parents {
		if info, err := os.Lstat(parent); err != nil || !info.IsDir() {
			continue
		}
		names, err := fs.Glob(os.DirFS(parent), name)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			all = append(all, filepath.Join(parent, name))
		}
	}
	return all, err
}

// match reports whether a location, or a directory above it, is excluded.
func (e exclusions) match(at string) bool {
	for ; len(e) > 0; at = filepath.Dir(at) {
		if e[at] {
			return true
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	return false
}

// location returns the absolute path of a file. It follows the symbolic links in the path, and not one that the file is
// itself: it is the place where a directory has the file.
func location(path string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	return filepath.Join(RealPath(filepath.Dir(path)), filepath.Base(path))
}
