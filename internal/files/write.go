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

// rename is how a file is replaced; tests let it fail.
var rename = os.Rename

// Change is new text for a file.
type Change struct {
	Path          string
	Before, After []byte
}

// Write brings new text into files: into all of them, or into none. Every new text is on disk
// under another name before the first file is replaced, so that an error or an end of the
// context before that leaves everything as it was; and a file is replaced by renaming, so that
// nobody ever sees half of one. Progress, where there is one, is told the number of texts that
// are on disk.
func Write(ctx context.Context, changes []Change, progress func(files int)) error {
	staged, err := stageAll(ctx, changes, progress)
	defer func() {
		for _, s := range staged {
			_ = os.Remove(s.temporary) // what was renamed is not there any more
		}
	}()
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil { // the last moment to turn back
		return err
	}
	for i, s := range staged {
		if err := s.unchanged(); err != nil {
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

// errChanged is what somebody else wrote in the meantime, which nobody would find again.
var errChanged = errors.New("it has changed since it was read; run again")

// stagedFile is new text that waits beside the file that it is for.
type stagedFile struct {
	temporary, target string
	info              fs.FileInfo // of the target, when it was compared with what was read
}

// unchanged refuses a target that is not what it was when the new text was staged.
func (s stagedFile) unchanged() error {
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

// replace puts the new text into the place of the old one. It looks at it again: between the
// first and the last of many files there is time to save one.
func (s stagedFile) replace() error {
	if err := s.unchanged(); err != nil {
		return err
	}
	return rename(s.temporary, s.target)
}

// stage writes the new text of a file to disk, with the mode and the owner of the file.
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
		err = temporary.Chmod(info.Mode()) // behind the owner, whose change clears bits of it
	}
	if err == nil {
		err = temporary.Sync()
	}
	return s, errors.Join(err, temporary.Close())
}

// checkTarget refuses what should not or must not be replaced.
func checkTarget(target string, before []byte) (fs.FileInfo, error) {
	file, err := os.OpenFile(target, os.O_RDWR, 0) // renaming would not ask whether the file may be written
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

// undo brings the old texts back into files that were replaced already.
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

// syncDirectories makes the new names last through a loss of power.
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
