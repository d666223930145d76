// Package files reads manifests where people keep them, in files, directories and pipes, and
// writes them back in place.
package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
)

// Stdin is how standard input is called in messages; people ask for it by a dash.
const (
	Stdin = finding.Stdin
	dash  = "-"
)

// MaxBytes bounds what is read into memory in one run: it is far above any real tree.
const MaxBytes = 1 << 30

var maxBytes int64 = MaxBytes // tests have it smaller

// File is one text, with the path that leads to it from where the person stands.
type File struct {
	Path string
	Text []byte
}

// Passed is a file of a directory that was not taken, and why.
type Passed struct {
	Path string
	Why  Why
}

// Why is a reason to pass a file over, as it reads behind a number: 3 Helm templates.
type Why string

// The reasons. A person who names a file gets it read; these are for what lies in directories.
const (
	HelmTemplate Why = "Helm template"
	NoObject     Why = "file without Kubernetes objects"
	NoConfig     Why = "file without a config"
	BuildConfig  Why = "build file"
	LinkOut      Why = "link out of the tree"
	NotRegular   Why = "special file"
	NotEntered   Why = "directory, which -R looks into"
	Ignored      Why = "ignored file"
)

// Found is what was read.
type Found struct {
	Files  []File
	Passed []Passed
}

// Reader reads what paths stand for: a file, a directory, a glob, or a dash for standard input.
type Reader struct {
	// Recursive looks into the directories of directories.
	Recursive bool
	// Stdin is what a dash stands for.
	Stdin io.Reader
	// Take looks at a file that was found and not named, and says why to pass it over, or nothing to take it.
	Take func(name string, text []byte) Why
	// Except are files that are not read, though they are named or found, by their real paths.
	Except map[string]bool
	// Progress is told the number of files that were looked at so far.
	Progress func(files int)
}

// reading is one run of a reader.
type reading struct {
	Reader
	ctx    context.Context
	found  Found
	seen   map[string]bool // real paths, since a file that is named twice is read once
	looked int
	bytes  int64
}

// Read reads all of the paths.
func (r Reader) Read(ctx context.Context, paths []string) (Found, error) {
	run := &reading{Reader: r, ctx: ctx, seen: map[string]bool{}}
	for _, path := range paths {
		if err := run.path(path); err != nil {
			return Found{}, err
		}
	}
	return run.found, nil
}

func (r *reading) path(path string) error {
	if path == dash {
		return r.stdin()
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(path, wild):
		return r.glob(path)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no file or directory %s", path)
	case err != nil:
		return err
	case info.IsDir():
		return r.tree(path)
	default:
		return r.named(path)
	}
}

func (r *reading) stdin() error {
	if r.seen[Stdin] {
		return errors.New("standard input (-) is named twice; it can be read once")
	}
	r.seen[Stdin] = true
	return r.read(Stdin, r.Stdin, true)
}

// named reads a file that a person has named: whatever it is, it is meant.
func (r *reading) named(path string) error {
	if r.again(path) {
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // it was only read
	return r.read(path, file, true)
}

// again tells whether a file was met before, under whatever name, or is not to be met.
func (r *reading) again(path string) bool {
	path = RealPath(path)
	if r.Except[path] || r.seen[path] {
		return true
	}
	r.seen[path] = true
	return false
}

// RealPath is the absolute path of a file without links, which two names of one file share.
func RealPath(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if absolute, err := filepath.Abs(path); err == nil {
		return absolute
	}
	return path
}

// read takes a text. One that is not meant, since it was found and not named, may be passed over.
func (r *reading) read(path string, from io.Reader, meant bool) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	text, err := io.ReadAll(io.LimitReader(from, maxBytes-r.bytes+1))
	if err != nil {
		return fmt.Errorf("%s cannot be read: %w", path, err)
	}
	if r.bytes += int64(len(text)); r.bytes > maxBytes {
		return fmt.Errorf("%s: the files are larger than %d MiB together; run on fewer at a time", path, maxBytes>>20)
	}
	if !meant {
		if why := r.Take(filepath.Base(path), text); why != "" {
			r.bytes -= int64(len(text))
			r.pass(path, why)
			return nil
		}
	}
	r.look()
	r.found.Files = append(r.found.Files, File{Path: path, Text: slices.Clip(text)})
	return nil
}

func (r *reading) pass(path string, why Why) {
	r.look()
	r.found.Passed = append(r.found.Passed, Passed{Path: path, Why: why})
}

func (r *reading) look() {
	r.looked++
	if r.Progress != nil {
		r.Progress(r.looked)
	}
}

// Plural is the reason as it reads behind a number.
func (w Why) Plural(count int) string {
	if count == 1 {
		return string(w)
	}
	if w == NotEntered {
		return "directories, which -R looks into"
	}
	if w == NoObject || w == NoConfig || w == LinkOut { // whose noun stands in front
		first, rest, _ := strings.Cut(string(w), " ")
		return first + "s " + rest
	}
	return string(w) + "s"
}
