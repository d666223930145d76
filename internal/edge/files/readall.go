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
	text.Grow(int(min(sizeOf(from), most)) + bytes.MinRead) // to find the end
	_, err := text.ReadFrom(io.LimitReader(from, most))
	return text.Bytes(), err
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
