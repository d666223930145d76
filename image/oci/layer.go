package oci

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// layer packs a directory. It keeps the name, the bytes and the executable bit of each file; owner, time and the rest of the mode
// are fixed, so that the layer is the same on every machine.
func layer(dir string, created time.Time) (v1.Layer, error) {
	archive, err := pack(os.DirFS(dir), created)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return tarball.LayerFromOpener(
		func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(archive)), nil },
		tarball.WithMediaType(types.OCILayer),
		tarball.WithCompressionLevel(gzip.BestCompression),
	)
}

// pack returns a tree as a tar archive, sorted by name.
func pack(tree fs.FS, created time.Time) ([]byte, error) {
	var archive bytes.Buffer
	out := tar.NewWriter(&archive)
	err := fs.WalkDir(tree, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == "." {
			return err
		}
		header, content, err := newEntry(tree, path, entry)
		if err != nil {
			return err
		}
		header.ModTime = created
		if err := out.WriteHeader(header); err != nil {
			return err
		}
		_, err = out.Write(content)
		return err
	})
	if err != nil {
		return nil, err
	}
	return archive.Bytes(), out.Close()
}

func newEntry(tree fs.FS, path string, entry fs.DirEntry) (*tar.Header, []byte, error) {
	info, err := entry.Info()
	switch {
	case err != nil:
		return nil, nil, err
	case entry.IsDir():
		return &tar.Header{Typeflag: tar.TypeDir, Name: path + "/", Mode: 0o755}, nil, nil
	case !info.Mode().IsRegular():
		return nil, nil, fmt.Errorf("%s is neither a file nor a directory", path)
	}
	content, err := fs.ReadFile(tree, path)
	header := &tar.Header{Typeflag: tar.TypeReg, Name: path, Mode: 0o644, Size: int64(len(content))}
	if info.Mode()&0o100 != 0 {
		header.Mode = 0o755
	}
	return header, content, err
}
