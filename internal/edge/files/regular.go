package files

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// errNotRegular is the error for a FIFO, a device, a socket or a directory.
var errNotRegular = errors.New("it is not a regular file")

// ReadRegular reads a regular file of at most MaxBytes. Anything else, such as a FIFO, is an error.
func ReadRegular(path string) ([]byte, error) {
	text, err := readRegular(opener(path), MaxBytes)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", path, err)
	}
	return text, nil
}

// opener returns the function with which readRegular opens a file.
func opener(path string) func(flag int) (*os.File, error) {
	return func(flag int) (*os.File, error) { return os.OpenFile(path, flag, 0) }
}

// readRegular reads a regular file of at most a number of bytes.
func readRegular(open func(flag int) (*os.File, error), most int64) ([]byte, error) {
	file, size, err := openRegular(open)
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
func openRegular(open func(flag int) (*os.File, error)) (file *os.File, size int64, err error) {
	if file, err = open(os.O_RDONLY | syscall.O_NONBLOCK); err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		_ = file.Close() // it was not read
		return nil, 0, err
	}
	return file, info.Size(), nil
}
