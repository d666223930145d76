package kustomization

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/filesys"

	"pillion.dev/pillion/internal/edge/files"
)

const (
	// maxNested bounds how many kustomizations one build reads, counted each time: a few that use one another twice
	// would take kustomize exponential time.
	maxNested = 2000
	// maxBuilt bounds the files of one build, counted each time, too.
	maxBuilt = 100 << 20
	// maxBytes bounds the files of all builds together.
	maxBytes = files.MaxBytes
)

// Disk is the files from which kustomizations are built. It reads each file once for all builds.
type Disk struct {
	// AnyFile lets kustomizations use files outside of their own directories, as kustomize's LoadRestrictionsNone.
	AnyFile bool
	// Within is the real path of a directory outside of which nothing is read; empty for none.
	Within string

	filesys.FileSystem
	mutex   sync.Mutex
	instead map[string][]byte // texts in place of those of the files, by their real paths
	read    map[string][]byte
	bytes   int

	obstacles obstacles
}

// NewDisk returns a disk that has other texts in place of those of some files, by their real paths.
func NewDisk(instead map[string][]byte) *Disk {
	return &Disk{
		FileSystem: filesys.MakeFsOnDisk(),
		instead:    instead,
		read:       map[string][]byte{},
		obstacles:  obstacles{known: map[string]dirObstacles{}},
	}
}

// ReadFile returns the text of a regular file, because reading a FIFO may never end.
func (d *Disk) ReadFile(path string) ([]byte, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if text, isRead := d.read[path]; isRead {
		return text, nil
	}
	if d.Within != "" { // what builds read is checked by bounded, too, as other calls are
		if err := (bounded{root: d.Within}).check(path); err != nil {
			return nil, err
		}
	}
	text, isReplaced := d.instead[files.RealPath(path)]
	if !isReplaced {
		var err error
		if text, err = files.ReadRegular(path); err != nil {
			return nil, err
		}
	}
	d.bytes += len(text)
	if d.bytes > maxBytes {
		return nil, fmt.Errorf("%s: the files of the kustomizations are larger than %d MiB together; "+
			"build fewer at a time", path, maxBytes>>20)
	}
	d.read[path] = text
	return text, nil
}

// Files returns the paths of the files that were read, in order.
func (d *Disk) Files() []string { return slices.Sorted(maps.Keys(d.read)) }

// view is a disk as one build sees it.
type view struct {
	*Disk
	cut     cut
	aliases files.Aliases
	nested  int
	bytes   int
	// isAlone is whether no other build runs, so that this one may change the schema of all.
	isAlone bool
	// refused is the first error of a file that kustomize must not read, without the long context that kustomize adds.
	refused error
}

// ReadFile returns an error for a file that has too many aliases, or if there are too many kustomizations.
func (v *view) ReadFile(path string) ([]byte, error) {
	text, err := v.Disk.ReadFile(path)
	if err != nil {
		return nil, err
	}
	v.bytes += len(text)
	if v.bytes > maxBuilt {
		return nil, v.refuse(fmt.Errorf("%s: the kustomization builds on more than %d MiB, counted each time; split it",
			path, maxBuilt>>20))
	}
	if line, err := v.aliases.Add(text); err != nil {
		return nil, v.refuse(fmt.Errorf("%s:%d: %w", path, line, err))
	}
	if !slices.Contains(files.Kustomizations(), filepath.Base(path)) {
		return text, nil
	}
	v.nested++
	if v.nested > maxNested {
		return nil, v.refuse(fmt.Errorf("%s is one of more than %d kustomizations that are used, "+
			"counted each time; use fewer", path, maxNested))
	}
	isChanging, err := changesSchema(text)
	switch {
	case err != nil: // what kustomize reads in it would not be known
		return nil, v.refuse(fmt.Errorf("%s%s%w", path, unreadable, err))
	case isChanging && !v.isAlone:
		return nil, v.refuse(errNotAlone)
	}
	return v.cut.apply(path, text)
}

func (v *view) refuse(err error) error {
	if v.refused == nil {
		v.refused = err
	}
	return v.refused
}
