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

	"pillion.dev/pillion/internal/work/parallel"
)

// rename is replaced by tests.
var rename = os.Rename

// errChanged is the error for a file that was changed by somebody else, so that replacing it would lose their change.
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

// replace replaces the target by the new text. It checks the target once more, because somebody may save it while many
// files are replaced.
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
		err = giveTo(temporary, info)
	}
	if err == nil {
		err = temporary.Chmod(info.Mode()) // after the owner, because changing that clears some bits
	}
	if err == nil {
		err = temporary.Sync()
	}
	return s, errors.Join(err, temporary.Close())
}

// checkTarget returns an error if a file must not be replaced: it is read-only, not a regular file, has other hard
// links, or has changed since it was read.
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

// stagers is the number of files that are staged at a time. Most of the time is spent waiting for the disk, which
// combines several writes.
const stagers = 16

// stageAll stages all changes. Together with an error it returns what was staged before.
func stageAll(ctx context.Context, changes []Change) ([]stagedFile, error) {
	staged := make([]stagedFile, len(changes))
	failed := make([]error, len(changes))
	untilFailed, stop := context.WithCancel(ctx)
	defer stop()
	parallel.DoWith(untilFailed, stagers, len(changes), func(i int) {
		staged[i], failed[i] = stage(changes[i].Path, changes[i].Before, changes[i].After)
		if failed[i] != nil {
			stop()
		}
	})
	for i, err := range failed {
		if err != nil {
			return staged, fmt.Errorf("%s cannot be written, so no file was: %w", changes[i].Path, err)
		}
	}
	return staged, ctx.Err()
}
