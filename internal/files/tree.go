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
	home string // its absolute path, for ignore files
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
	home, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &tree{run: r, root: root, dir: dir, home: home}, nil
}

// path returns the path of a file as the user would write it.
func (t *tree) path(name string) string { return filepath.Join(t.dir, filepath.FromSlash(name)) }

func (t *tree) absolute(name string) string { return filepath.Join(t.home, filepath.FromSlash(name)) }

// readFrom reads a directory that the user named, with the ignore files above it.
func (t *tree) readFrom(dir string) error {
	ignored, err := ignoresAbove(t.absolute(dir))
	if err != nil {
		return err
	}
	return t.readDirectory(dir, ignored, false)
}

// readDirectory reads the files of a directory in the order of their names, and its subdirectories if the Reader is recursive.
// It passes over the templates of a Helm chart without reading them.
func (t *tree) readDirectory(dir string, ignored ignores, isTemplates bool) error {
	entries, err := fs.ReadDir(t.root.FS(), dir)
	if err != nil {
		return fmt.Errorf("%s cannot be read: %w", t.path(dir), err)
	}
	if ignored, err = ignored.with(t, dir); err != nil {
		return err
	}
	isChart := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == "Chart.yaml" })
	for _, entry := range entries {
		if err := t.run.ctx.Err(); err != nil {
			return err
		}
		name, isDir, isManifest := path.Join(dir, entry.Name()), entry.IsDir(), !entry.IsDir() && hasManifestName(entry.Name())
		switch {
		case ignored.match(t.absolute(name), isDir):
			if isDir || isManifest {
				t.run.passOver(t.path(name), Ignored)
			}
		case isDir && !t.run.reader.Recursive && !strings.HasPrefix(entry.Name(), "."):
			t.run.passOver(t.path(name), NotEntered)
		case isDir && t.run.reader.Recursive && entry.Name() != ".git":
			err = t.readDirectory(name, ignored, isTemplates || isChart && entry.Name() == "templates")
		case entry.Type()&fs.ModeSymlink != 0 && !isManifest:
			t.passOverLink(name)
		case isManifest && isTemplates:
			t.run.passOver(t.path(name), HelmTemplate)
		case isManifest:
			err = t.readFile(name)
		}
		if err != nil {
			return err
		}
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
		t.run.passOver(t.path(name), LinkOut)
	}
}

// hasManifestName reports whether a file may have manifests, or is a kustomization, which may say that others have none.
func hasManifestName(name string) bool {
	return slices.Contains(Kustomizations(), name) || slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(name))
}

// readFile reads a file of the tree. It follows a symbolic link that stays in the tree.
func (t *tree) readFile(name string) error {
	file := t.path(name)
	own, err := t.root.Lstat(name)
	if err != nil {
		return err
	}
	info, err := t.root.Stat(name)
	switch {
	case err != nil && own.Mode()&fs.ModeSymlink != 0:
		t.run.passOver(file, LinkOut) // or a link to nothing
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return nil // behind a link: a directory in the tree is read by its own name
	case !info.Mode().IsRegular():
		t.run.passOver(file, NotRegular)
		return nil
	case !t.run.isNew(file):
		return nil
	}
	opened, err := t.root.Open(name)
	if err != nil {
		return err
	}
	defer opened.Close() //nolint:errcheck // it was only read
	return t.run.read(file, opened, false)
}
