package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// rename is replaced by tests.
var rename = os.Rename

// Change is new text for a file.
type Change struct {
	Path          string
	Before, After []byte
}

// Write writes new texts to all of the files, or to none of them. It stages every text on disk under a temporary name before
// it replaces the first file, so that an error or the end of the context until then changes nothing. It replaces files by
// renaming, so that no reader ever sees an incomplete file, and undoes the replacements if one of them fails. It calls
// progress, unless that is nil, with the number of texts that are staged.
func Write(ctx context.Context, changes []Change, progress func(files int)) error {
	staged, err := stageAll(ctx, changes, progress)
	defer func() {
		for _, s := range staged {
			_ = os.Remove(s.temporary) // fails for those that were renamed
		}
	}()
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	for i, s := range staged {
		if err := s.checkUnchanged(); err != nil {
			return fmt.Errorf("%s cannot be written, so no file was: %w", changes[i].Path, err)
		}
	}
	for i, s := range staged {
		if err := s.replace(); err != nil {
			return errors.Join(fmt.Errorf("%s cannot be replaced: %w", changes[i].Path, err), undo(changes[:i]))
		}
	}
	return syncDirectories(staged)
}

// errChanged is the error for a file that somebody else changed, and whose change would be lost.
var errChanged = errors.New("it has changed since it was read; run again")

// stagedFile is a new text in a temporary file beside its target.
type stagedFile struct {
	temporary, target string
	info              fs.FileInfo // of the target when it was compared with the text that was read
}

// checkUnchanged returns an error if the target has changed since the new text was staged.
func (s stagedFile) checkUnchanged() error {
	now, err := os.Lstat(s.target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errChanged
	case err != nil:
		return err
	case !os.SameFile(now, s.info) || now.Size() != s.info.Size() || !now.ModTime().Equal(s.info.ModTime()):
		return errChanged
	}
	return nil
}

// replace replaces the target by the new text. It checks the target once more, because somebody may save it while
// many files are replaced.
func (s stagedFile) replace() error {
	if err := s.checkUnchanged(); err != nil {
		return err
	}
	return rename(s.temporary, s.target)
}

// stage writes the new text of a file to a temporary file with the mode and the owner of the file.
func stage(path string, before, after []byte) (stagedFile, error) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return stagedFile{}, err
	}
	info, err := checkTarget(target, before)
	if err != nil {
		return stagedFile{}, err
	}
	temporary, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+".pillion-")
	if err != nil {
		return stagedFile{}, err
	}
	s := stagedFile{temporary: temporary.Name(), target: target, info: info}
	_, err = temporary.Write(after)
	if err == nil {
		err = keepOwner(temporary, info)
	}
	if err == nil {
		err = temporary.Chmod(info.Mode()) // after the owner, because changing that clears some bits
	}
	if err == nil {
		err = temporary.Sync()
	}
	return s, errors.Join(err, temporary.Close())
}

// checkTarget returns an error if a file must not be replaced: it is read-only, not a regular file, has other hard links, or
// has changed since it was read.
func checkTarget(target string, before []byte) (fs.FileInfo, error) {
	file, err := os.OpenFile(target, os.O_RDWR, 0) // a rename does not check whether the file is writable
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // nothing was written
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	if count := linkCount(info); count > 1 {
		return nil, fmt.Errorf("it has %d hard links, and the others would keep the old text; "+
			"make it a file of its own (cp it, then mv the copy over it)", count)
	}
	now := make([]byte, len(before)+1)
	n, err := file.ReadAt(now, 0)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, err
	case !bytes.Equal(now[:n], before):
		return nil, errChanged
	}
	return info, nil
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
			all = errors.Join(all, fmt.Errorf("%s keeps its new text: %w", change.Path, err))
		}
	}
	return all
}

// syncDirectories flushes the new names to disk, so that they survive a power failure.
func syncDirectories(staged []stagedFile) error {
	done := map[string]bool{}
	for _, s := range staged {
		dir := filepath.Dir(s.target)
		if done[dir] {
			continue
		}
		done[dir] = true
		if err := syncDirectory(dir); err != nil {
			return err
		}
	}
	return nil
}
