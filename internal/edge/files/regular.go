package files

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// errNotRegular is the error for a FIFO, a device, a socket or a directory.
var errNotRegular = errors.New("it is not a regular file")

// openFile is os.OpenFile, or that of an os.Root.
type openFile func(name string, flag int, mode fs.FileMode) (*os.File, error)

// ReadRegular reads a regular file of at most MaxBytes. Anything else, such as a FIFO, is an error.
func ReadRegular(path string) ([]byte, error) {
	text, err := readRegular(os.OpenFile, path, MaxBytes)
	if err != nil {
		return nil, unreadable(path, err)
	}
	return text, nil
}

// readRegular reads a regular file of at most a number of bytes.
func readRegular(open openFile, name string, most int64) ([]byte, error) {
	file, size, err := openRegular(open, name)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // it was only read
	if size > most {
		return nil, fmt.Errorf("it is larger than %d KiB", most>>10)
	}
	return readSized(file, size, most)
}

// openRegular opens a regular file without blocking, because a FIFO would wait for a writer, and returns its size.
// Devices are not read, because they may never end.
func openRegular(open openFile, name string) (file *os.File, size int64, err error) {
	if file, err = open(name, os.O_RDONLY|syscall.O_NONBLOCK, 0); err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err == nil && info.Mode().IsRegular() {
		return file, info.Size(), nil
	}
	_ = file.Close() // it was not read
	return nil, 0, cmp.Or(err, errNotRegular)
}
