package files

import (
	"errors"
	"io"
	"io/fs"
	"slices"
)

// ReadAll reads a text of at most that many bytes. It allocates memory once if the reader is a file, unless the file
// grows.
func ReadAll(from io.Reader, most int64) ([]byte, error) { return readSized(from, sizeOf(from), most) }

// readSized is like ReadAll, given the size of the file, or 0.
func readSized(from io.Reader, size, most int64) ([]byte, error) {
	text := make([]byte, min(size, most-1)+1) // one more to find the end
	n, err := io.ReadFull(from, text)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return slices.Clip(text[:n]), nil
	}
	if err != nil {
		return nil, err
	}
	rest, err := io.ReadAll(io.LimitReader(from, most-int64(n)))
	return append(text, rest...), err
}

// sizeOf returns how many bytes a reader has, as far as that is known.
func sizeOf(from io.Reader) int64 {
	file, isFile := from.(fs.File)
	if !isFile {
		return 0
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}
