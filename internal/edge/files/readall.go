package files

import (
	"bytes"
	"io"
	"io/fs"
)

// ReadAll reads a text of at most that many bytes. It allocates memory once if the reader is a file, unless the file
// grows.
func ReadAll(from io.Reader, most int64) ([]byte, error) {
	var text bytes.Buffer
	text.Grow(expectedSize(from, most) + bytes.MinRead) // to find the end
	_, err := text.ReadFrom(io.LimitReader(from, most))
	return text.Bytes(), err
}

// expectedSize returns how many bytes a reader probably has.
func expectedSize(from io.Reader, most int64) int {
	file, isFile := from.(fs.File)
	if !isFile {
		return 0
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return 0
	}
	return int(info.Size())
}
