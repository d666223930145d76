package files_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"pillion.dev/pillion/internal/edge/files"
)

func TestReadAllReadsEverythingUpToTheLimit(t *testing.T) {
	text := strings.Repeat("0123456789", 10_000)
	for _, size := range []int{0, 1, 511, 512, 513, len(text) - 1, len(text)} {
		for name, reader := range map[string]io.Reader{
			"a file": open(t, text[:size]), "a stream": strings.NewReader(text[:size]),
			"a slow stream": iotest.OneByteReader(strings.NewReader(text[:size])),
		} {
			if got, err := files.ReadAll(reader, int64(len(text))); err != nil || string(got) != text[:size] {
				t.Errorf("%s of %d bytes: %d bytes, %v", name, size, len(got), err)
			}
		}
		if got, err := files.ReadAll(open(t, text), int64(size)); err != nil || string(got) != text[:size] {
			t.Errorf("%d bytes of a larger file: %d bytes, %v", size, len(got), err)
		}
	}
	if _, err := files.ReadAll(iotest.ErrReader(io.ErrClosedPipe), 10); err == nil {
		t.Error("an error is lost")
	}
}

// A file has its size when it is opened, and may have another one when it is read.
func TestReadAllReadsFilesThatChange(t *testing.T) {
	for name, change := range map[string]func(*os.File, int) error{
		"grown": func(f *os.File, size int) error {
			_, err := f.WriteAt(bytes.Repeat([]byte{'x'}, size), int64(size))
			return err
		},
		"cut": func(f *os.File, size int) error { return f.Truncate(int64(size / 2)) },
	} {
		file := open(t, strings.Repeat("x", 1000))
		changing := &atFirstRead{File: file, do: func() error { return change(file, 1000) }}
		got, err := files.ReadAll(changing, 10_000)
		info, _ := file.Stat()
		if err != nil || int64(len(got)) != info.Size() {
			t.Errorf("%s: %d bytes of %d, %v", name, len(got), info.Size(), err)
		}
	}
}

// atFirstRead does something before the first read.
type atFirstRead struct {
	*os.File
	do func() error
}

func (r *atFirstRead) Read(p []byte) (int, error) {
	if r.do != nil {
		if err := r.do(); err != nil {
			return 0, err
		}
		r.do = nil
	}
	return r.File.Read(p)
}

func open(t *testing.T, text string) *os.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() }) //nolint:errcheck // the test has what it needs
	return file
}
