package files

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// wildcards are the characters that make a path a pattern.
const wildcards = "*?["

// readGlob reads the files that match a pattern. They are treated as found in a directory: the part of the pattern in
// front of the first wildcard.
func (r *reading) readGlob(pattern string) error {
	matches, err := filepath.Glob(pattern)
	if err != nil {
		return fmt.Errorf("the pattern %s cannot be read: %w", pattern, err)
	}
	if len(matches) == 0 {
		return fmt.Errorf("no file matches %s", pattern)
	}
	base := filepath.Dir(pattern[:strings.IndexAny(pattern, wildcards)] + "x")
	t, err := r.openTree(base)
	if err != nil {
		return err
	}
	for _, match := range matches {
		name, err := filepath.Rel(base, match)
		if err != nil {
			return err
		}
		if err := t.readMatch(filepath.ToSlash(name)); err != nil {
			return err
		}
	}
	return nil
}

func (t *tree) readMatch(name string) error {
	info, err := t.root.Stat(name)
	switch {
	case t.run.excluded.match(location(t.path(name))):
		t.run.passOver(Passed{Path: t.path(name), Why: Excluded})
	case err == nil && info.IsDir():
		own, err := filepath.Rel(t.home, RealPath(t.path(name))) // without the links that may lead to it
		if err != nil {
			return err
		}
		return t.readFrom(filepath.ToSlash(own))
	default:
		t.run.addCandidate(&candidate{tree: t, name: name, kind: fs.ModeSymlink})
	}
	return nil
}
