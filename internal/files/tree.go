package files

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// tree is a directory that the user named. It is read through an os.Root, so that no symbolic link leads out of it. Names in
// it are relative, with slashes.
type tree struct {
	run  *reading
	root *os.Root
	dir  string // as the user named it
	home string // its real path
}

// place is a directory of a tree, and what holds for all files in it.
type place struct {
	dir     string
	ignores ignores
	// byGit and byKpt are whether an ignore file excludes the directory.
	byGit, byKpt         bool
	isChart, isTemplates bool
}

func (r *reading) readTree(dir string) error {
	t, err := r.openTree(dir)
	if err != nil {
		return err
	}
	defer t.root.Close() //nolint:errcheck // it was only read
	return t.readFrom(".")
}

func (r *reading) openTree(dir string) (*tree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &tree{run: r, root: root, dir: dir, home: RealPath(dir)}, nil
}

// path returns the path of a file as the user would write it.
func (t *tree) path(name string) string { return filepath.Join(t.dir, filepath.FromSlash(name)) }

// location returns the absolute path of a file. The directories in it are no symbolic links, because those are not entered.
func (t *tree) location(name string) string { return filepath.Join(t.home, filepath.FromSlash(name)) }

// opener returns the function with which readRegular opens a file of the tree.
func (t *tree) opener(name string) func(flag int) (*os.File, error) {
	return func(flag int) (*os.File, error) { return t.root.OpenFile(name, flag, 0) }
}

// readFrom reads a directory that the user named, with the ignore files above it.
func (t *tree) readFrom(dir string) error {
	ignores, err := ignoresAbove(t.location(dir))
	if err != nil {
		return err
	}
	return t.readDirectory(place{dir: dir, ignores: ignores})
}

// readDirectory reads the files of a directory in the order of their names, and its subdirectories if the Reader is recursive. A
// kustomization comes first, because the resources that it lists are in the same directory or below.
func (t *tree) readDirectory(at place) error {
	entries, err := fs.ReadDir(t.root.FS(), at.dir)
	if err != nil {
		return fmt.Errorf("%s cannot be read: %w", t.path(at.dir), err)
	}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == ".git" }) { // ignore files above do not apply
		at.byGit, at.ignores.git, at.ignores.index = false, nil, newGitIndex(t.location(at.dir))
	}
	if !at.byGit {
		if at.ignores, err = at.ignores.with(t, at.dir); err != nil {
			return err
		}
	}
	at.isChart = t.isChart(at.dir)
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int { return rank(a.Name()) - rank(b.Name()) })
	for _, entry := range entries {
		if err := t.run.ctx.Err(); err != nil {
			return err
		}
		if err := t.readEntry(at, entry); err != nil {
			return err
		}
	}
	return nil
}

// rank orders files: a kustomization is before all others.
func rank(name string) int {
	if slices.Contains(Kustomizations(), name) {
		return 0
	}
	return 1
}

// readEntry reads a file or directory in a place. It reads what an ignore file excludes only for a Complete reader, unless git certainly
// does not track it, and does not read the templates of a Helm chart, except those that a kustomization lists as resources.
func (t *tree) readEntry(at place, entry fs.DirEntry) error {
	name, isDir, isLink := path.Join(at.dir, entry.Name()), entry.IsDir(), entry.Type()&fs.ModeSymlink != 0
	location := t.location(name)
	isResource := t.run.resources[location]
	isManifest := !isDir && (isResource || hasManifestName(entry.Name()))
	if entry.Name() == ".git" || !isDir && !isLink && !isManifest {
		return nil
	}
	if t.run.excluded.match(location) {
		t.run.passOver(Passed{Path: t.path(name), Why: Excluded})
		return nil
	}
	if err := t.run.ignore(&at, location, isDir); err != nil {
		return err
	}
	isIgnored := at.byGit || at.byKpt
	switch {
	case isIgnored && !t.run.reader.Complete || at.byGit && !at.ignores.track(location):
		if isDir || isManifest {
			t.run.passOver(Passed{Path: t.path(name), Why: Ignored})
		}
		return nil
	case isDir && t.run.reader.Recursive:
		at.isTemplates = at.isTemplates || at.isChart && entry.Name() == "templates"
		at.dir = name
		return t.readDirectory(at)
	case isDir && !strings.HasPrefix(entry.Name(), "."):
		t.run.passOver(Passed{Path: t.path(name), Why: NotEntered})
	case isManifest && at.isTemplates && !isResource:
		t.run.passOver(Passed{Path: t.path(name), Why: HelmTemplate})
	case isManifest:
		return t.readFile(name, isIgnored)
	case isLink:
		t.passOverLink(name)
	}
	return nil
}

// passOverLink passes over a symbolic link to a directory outside of the tree. Directories in the tree are read by their own names,
// and links to files without the name of a manifest are of no interest, like the files.
func (t *tree) passOverLink(name string) {
	if _, err := t.root.Stat(name); err == nil || !t.run.reader.Recursive {
		return
	}
	if info, err := os.Stat(t.path(name)); err == nil && info.IsDir() {
		t.run.passOver(Passed{Path: t.path(name), Why: LinkOut})
	}
}

// hasManifestName reports whether a file may have manifests, or is a kustomization, which may say that others have none.
func hasManifestName(name string) bool {
	return slices.Contains(Kustomizations(), name) || slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(name))
}

// readFile reads a file of the tree. It follows a symbolic link that stays in the tree.
func (t *tree) readFile(name string, isIgnored bool) error {
	file := t.path(name)
	own, err := t.root.Lstat(name)
	if err != nil {
		return err
	}
	info, err := t.root.Stat(name)
	switch {
	case err != nil && own.Mode()&fs.ModeSymlink != 0:
		t.run.passOver(Passed{Path: file, Why: LinkOut}) // or a link to nothing
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return nil // behind a link: a directory in the tree is read by its own name
	case !info.Mode().IsRegular():
		t.run.passOver(Passed{Path: file, Why: NotRegular})
		return nil
	case !t.run.isNew(file):
		return nil
	}
	opened, err := t.root.Open(name)
	if err != nil {
		return err
	}
	defer opened.Close() //nolint:errcheck // it was only read
	text, err := t.run.readText(file, opened)
	if err == nil {
		t.run.sort(File{Path: file, Text: text}, isIgnored)
	}
	return err
}
