package files

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// Change is new text for a file.
type Change struct {
	Path          string
	Before, After []byte
}

// Write writes new texts to all of the files, or to none of them. It stages every text on disk under a temporary name
// before it replaces the first file, so that an error or the end of the context until then changes nothing. It replaces
// files by renaming, so that no reader ever sees an incomplete file, and undoes the replacements if one of them fails.
func Write(ctx context.Context, changes []Change) error {
	staged, err := stageAll(ctx, changes)
	defer func() {
		for _, s := range staged {
			_ = os.Remove(s.temporary) // fails for those that were renamed
		}
	}()
	if err != nil {
		return err
	}
	return replaceAll(changes, staged)
}

// replaceAll replaces all files, or none of them.
func replaceAll(changes []Change, staged []stagedFile) error {
	for i, s := range staged {
		if err := s.checkUnchanged(); err != nil {
			return fmt.Errorf("%s cannot be written, so no file was: %w", changes[i].Path, err)
		}
	}
	for i, s := range staged {
		if err := s.replace(); err != nil {
			return both(fmt.Errorf("%s cannot be replaced: %w", changes[i].Path, err), undo(changes[:i]))
		}
	}
	return syncDirectories(staged)
}

// undo writes the old texts back to files that were replaced already.
func undo(changes []Change) error {
	var all error
	for _, change := range changes {
		s, err := stage(change.Path, change.After, change.Before)
		if err == nil {
			err = s.replace()
		}
		if err != nil {
			_ = os.Remove(s.temporary)
			all = both(all, fmt.Errorf("%s keeps its new text: %w", change.Path, err))
		}
	}
	return all
}

// syncDirectories flushes the new names to disk, so that they survive a power failure.
func syncDirectories(staged []stagedFile) error {
	dirs := map[string]bool{}
	for _, s := range staged {
		dirs[filepath.Dir(s.target)] = true
	}
	var all error
	for dir := range dirs {
		all = both(all, syncDirectory(dir))
	}
	return all
}

// both returns two errors as one, on one line, as messages are.
func both(one, two error) error {
	if one == nil || two == nil {
		return cmp.Or(one, two)
	}
	return fmt.Errorf("%w; %w", one, two)
}
