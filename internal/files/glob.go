package files

import (
	"fmt"
	"path/filepath"
	"strings"
)

// wild are the characters that make a pattern of a path.
const wild = "*?["

// glob reads what a pattern finds. Its matches were found and not named, so that the rules of a
// directory hold for them: that of the part in front of the first wild character.
func (r *reading) glob(pattern string) error {
	matches, err := filepath.Glob(pattern)
	if err != nil {
		return fmt.Errorf("the pattern %s cannot be read: %w", pattern, err)
	}
	if len(matches) == 0 {
		return fmt.Errorf("no file matches %s", pattern)
	}
	fixed := filepath.Dir(pattern[:strings.IndexAny(pattern, wild)] + "x")
	t, err := r.open(fixed)
	if err != nil {
		return err
	}
	defer t.root.Close() //nolint:errcheck // it was only read
	for _, match := range matches {
		at, err := filepath.Rel(fixed, match)
		if err != nil {
			return err
		}
		if err := t.match(filepath.ToSlash(at)); err != nil {
			return err
		}
	}
	return nil
}

func (t *tree) match(at string) error {
	info, err := t.root.Stat(at)
	switch {
	case err != nil && !t.holds(at):
		t.pass(t.shown(at), LinkOut)
		return nil
	case err == nil && info.IsDir():
		ignored, err := ignoresAbove(filepath.Join(t.home, filepath.FromSlash(at)))
		if err != nil {
			return err
		}
		return t.directory(at, ignored, false)
	default:
		return t.file(at, false)
	}
}

// holds tells whether no link on the way to a file leads out of the tree.
func (t *tree) holds(at string) bool {
	inside, err := filepath.Rel(RealPath(t.name), RealPath(t.shown(at)))
	return err == nil && filepath.IsLocal(inside)
}
