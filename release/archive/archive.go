// Package archive packs files into archives. Only the names, the contents and the given time are in an archive, so that the same
// files result in the same bytes on every machine.
package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// File is a file that is packed.
type File struct {
	// Name is the path in the archive, relative and with slashes.
	Name string
	// IsProgram is whether it can be run.
	IsProgram bool
	Content   []byte
}

// Mode returns the permissions of the file.
func (f File) Mode() fs.FileMode {
	if f.IsProgram {
		return 0o755
	}
	return 0o644
}

// Sorted returns the files in the order of their names.
func Sorted(files []File) []File {
	return slices.SortedFunc(slices.Values(files), func(a, b File) int { return strings.Compare(a.Name, b.Name) })
}

// TarGz returns the files, and their directories, as a compressed tar archive. Names get the prefix, such as ./ in packages of Debian.
func TarGz(files []File, prefix string, modified time.Time) ([]byte, error) {
	var out bytes.Buffer
	packed := tar.NewWriter(&out)
	seen := map[string]bool{}
	for _, file := range Sorted(files) {
		if err := addDirs(packed, seen, file.Name, prefix, modified); err != nil {
			return nil, err
		}
		header := &tar.Header{
			Typeflag: tar.TypeReg, Name: prefix + file.Name, Size: int64(len(file.Content)), Mode: int64(file.Mode()),
			ModTime: modified, Uname: "root", Gname: "root",
		}
		if err := packed.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := packed.Write(file.Content); err != nil {
			return nil, err
		}
	}
	if err := packed.Close(); err != nil {
		return nil, err
	}
	return Gzip(out.Bytes())
}

// addDirs adds the directories of a file that are not in the archive yet, the outermost first.
func addDirs(packed *tar.Writer, seen map[string]bool, name, prefix string, modified time.Time) error {
	dir := path.Dir(name)
	if dir == "." || seen[dir] {
		return nil
	}
	if err := addDirs(packed, seen, dir, prefix, modified); err != nil {
		return err
	}
	seen[dir] = true
	return packed.WriteHeader(&tar.Header{
		Typeflag: tar.TypeDir, Name: prefix + dir + "/", Mode: 0o755, ModTime: modified, Uname: "root", Gname: "root",
	})
}

// Gzip returns the content, compressed as much as gzip can, without a name and a time.
func Gzip(content []byte) ([]byte, error) {
	var out bytes.Buffer
	compressed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := compressed.Write(content); err != nil {
		return nil, err
	}
	err = compressed.Close()
	return out.Bytes(), err
}

// Zip returns the files as a zip archive.
func Zip(files []File, modified time.Time) ([]byte, error) {
	var out bytes.Buffer
	packed := zip.NewWriter(&out)
	for _, file := range Sorted(files) {
		header := &zip.FileHeader{Name: file.Name, Method: zip.Deflate, Modified: modified.UTC()}
		header.SetMode(file.Mode())
		entry, err := packed.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(file.Content); err != nil {
			return nil, err
		}
	}
	err := packed.Close()
	return out.Bytes(), err
}
