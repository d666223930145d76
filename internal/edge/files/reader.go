// Package files reads manifests from files, directories and standard input, and writes them back in place.
package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/maker"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// Stdin is the name of standard input in messages. In arguments it is a dash.
const (
	Stdin = finding.Stdin
	dash  = "-"
)

// MaxBytes bounds what one run reads into memory. It is far above the size of any real tree.
const MaxBytes = 1 << 30

var maxBytes int64 = MaxBytes // smaller in tests

// largeBytes is the size from which files are read one at a time.
const largeBytes = 1 << 20

// maxPathBytes bounds the path of a file.
const maxPathBytes = 1 << 10

// File is a text and its path, relative to the working directory.
type File struct {
	Path string
	Text []byte
}

// Found is the result of a Reader.
type Found struct {
	Files  []File
	Passed []Passed
	// Templates are the paths of files in directories whose names say that another tool makes manifests of them. They
	// were not read.
	Templates []string
	// Kustomizations are those that a Complete reader has found, except ignored ones, in the order in which it read them.
	Kustomizations []Kustomization
	// Generated are the objects that kustomizations make, by the names that other objects refer to them by.
	Generated []finding.Object
	// Makers are the files from which tools make pods.
	Makers []*maker.Maker
	// Directories are the real paths of those that a recursive reader has read, each with everything below it that it has
	// not passed over.
	Directories []string
	// Resources are the paths of files that kustomizations list as such.
	Resources map[string]bool
	// Unlisted are the paths of files in the directory of a kustomization, or below, that no kustomization lists.
	Unlisted map[string]bool
}

// Reader reads files, directories, globs, and standard input for a dash.
type Reader struct {
	// Recursive includes subdirectories.
	Recursive bool
	// Stdin is read for a dash.
	Stdin io.Reader
	// Take returns the reason to pass over a file that was found in a directory, or "" to read it.
	Take func(name string, text []byte) Why
	// Complete also reads files that are not manifests of the run and may have workloads: those that ignore files
	// exclude, and those in directories that a kustomization there uses as patches and configs. They are among the
	// Passed, with their texts.
	Complete bool
	// Exclude are paths and globs of files and directories that are not read.
	Exclude []string
	// Except are the real paths of files that are never read.
	Except map[string]bool
}

// reading is the state of one call of Reader.Read.
type reading struct {
	reader Reader
	ctx    context.Context
	found  Found
	known  map[string]bool // real paths, because a file that is named twice is read once
	bytes  atomic.Int64

	readsLarge sync.Mutex // held while a large file is read
	steps      int        // of matching ignore files, beyond ignoreStepsPerFile

	excluded   exclusions
	trees      []*tree // that were read
	candidates []*candidate
	ignored    []*candidate
	// isNamedOnce is whether no file can have several names, so that they need not be remembered.
	isNamedOnce bool

	kustomizations map[string]bool    // that were read, by their locations; true if they are ignored
	kustomized     map[string]bool    // the locations of directories with one that was understood and is not ignored
	resources      map[string]bool    // of them, by locations and real paths; false if only ignored ones list them
	listed         []string           // the real paths of these resources
	used           map[string]*Passed // by kustomizations in other ways, by their real paths
}

// Read reads all of the paths.
func (r Reader) Read(ctx context.Context, paths []string) (Found, error) {
	run := &reading{
		reader:         r,
		ctx:            ctx,
		known:          map[string]bool{},
		kustomizations: map[string]bool{},
		kustomized:     map[string]bool{},
		resources:      map[string]bool{},
		used:           map[string]*Passed{},
	}
	run.found.Resources = map[string]bool{}
	run.found.Unlisted = map[string]bool{}
	defer run.close()
	var err error
	if run.excluded, err = newExclusions(r.Exclude); err != nil {
		return Found{}, err
	}
	for _, path := range paths {
		if err := run.readPath(path); err != nil {
			return Found{}, err
		}
	}
	run.addListed()
	if err := run.readCandidates(); err != nil {
		return Found{}, err
	}
	return run.found, nil
}

func (r *reading) readPath(path string) error {
	switch path {
	case dash:
		return r.readStdin()
	case "":
		return errors.New("the path is empty; check the variable that it comes from")
	}
	info, err := os.Stat(path)
	switch {
	case err != nil && strings.Contains(path, "://"):
		return fmt.Errorf("%s is an address, and Pillion fetches nothing; download it to a file, or pipe it in: "+
			"curl -fsSL %[1]s | pillion ... -f -", path)
	case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(path, wildcards):
		return r.readGlob(path)
	case errors.Is(err, fs.ErrNotExist):
		return Missing(path)
	case err != nil:
		return unreadable(path, err)
	case info.IsDir():
		return r.readTree(path)
	default:
		return r.readNamed(path)
	}
}

func (r *reading) readStdin() error {
	if r.known[Stdin] {
		return errors.New("standard input (-) is named twice; it can be read once")
	}
	r.known[Stdin] = true
	return r.addNamed(Stdin, r.reader.Stdin)
}

// readNamed reads a file that the user named. It is not passed over, unless it is excluded: a shell that expands a
// pattern names all files.
func (r *reading) readNamed(path string) error {
	if r.excluded.match(location(path)) {
		r.passOver(Passed{Path: path, Why: Excluded})
		return nil
	}
	if !r.isNew(RealPath(path)) {
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return unreadable(path, err)
	}
	defer file.Close() //nolint:errcheck // it was only read
	return r.addNamed(path, file)
}

// unreadable returns the error for a path that cannot be read.
func unreadable(path string, err error) error {
	if cause, ok := errors.AsType[*fs.PathError](err); ok {
		err = cause.Err // the path is in the message already
	}
	return fmt.Errorf("%s cannot be read: %w; check the path and its permissions", path, err)
}

// isNew reports whether a file was not read before, by any of its names, and is not one of Except, given its real path.
// It records the file if it can have other names.
func (r *reading) isNew(path string) bool {
	if r.reader.Except[path] || r.known[path] {
		return false
	}
	if !r.isNamedOnce {
		r.known[path] = true
	}
	return true
}

// RealPath returns the absolute path of a file without symbolic links, as far as they can be followed.
func RealPath(path string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	return path
}

// addNamed adds a text that the user named.
func (r *reading) addNamed(path string, from io.Reader) error {
	text, err := r.readBounded(path, from, sizeOf(from))
	if err != nil {
		return err
	}
	if read.MayBeTemplate(text) && Manifests("", text) == Template {
		return fmt.Errorf("%s is a template and not a manifest; "+
			"render it first, such as by: helm template CHART | pillion ... -f -", path)
	}
	r.add(File{Path: path, Text: text})
	return nil
}

// readBounded reads a text within the bounds of a run, given its size as far as it is known. The size is counted first,
// because several texts are read at the same time.
func (r *reading) readBounded(path string, from io.Reader, size int64) ([]byte, error) {
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	if len(path) > maxPathBytes { // each finding has it
		return nil, fmt.Errorf("a path has %d bytes, and at most %d are read: %.100s; shorten it",
			len(path), maxPathBytes, path)
	}
	tooLarge := fmt.Errorf("%s: the files are larger than %d MiB together; run on fewer at a time", path, maxBytes>>20)
	room := maxBytes - r.bytes.Add(size)
	if room < 0 {
		return nil, tooLarge
	}
	text, err := readSized(from, size, room+size+1)
	if err != nil {
		return nil, unreadable(path, err)
	}
	if r.bytes.Add(int64(len(text))-size) > maxBytes {
		return nil, tooLarge
	}
	return text, nil
}

func (r *reading) add(file File) {
	r.found.Files = append(r.found.Files, file)
}

func (r *reading) passOver(passed Passed) {
	r.found.Passed = append(r.found.Passed, passed)
}
