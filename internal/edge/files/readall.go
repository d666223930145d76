package files

import (
	"errors"
	"io"
	"io/fs"
	"slices"
)

// ReadAll reads a text of at most that many bytes. It allocates memory once if the reader is a file, unless the file
// grows.
func ReadAll(from io.Reader, most int64) ([]byte, error) {
	text := make([]byte, 0, expectedSize(from, most)+1) // one more to find the end
	from = io.LimitReader(from, most)
	for {
		n, err := from.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		switch {
		case errors.Is(err, io.EOF):
			return text, nil
		case err != nil:
			return text, err
		case len(text) == cap(text):
			text = slices.Grow(text, len(text))
		}
	}
}

// expectedSize returns how many bytes a reader probably has.
func expectedSize(from io.Reader, most int64) int64 {
	const unknown = 511 // which is enough for a line or two, and little if many small texts are read
	file, isFile := from.(fs.File)
	if !isFile {
		return unknown
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return unknown
	}
	return info.Size()
}
