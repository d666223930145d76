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

// tree is one directory that a person has named. It is read through an os.Root, which no link
// leads out of.
type tree struct {
	*reading
	root *os.Root
	name string // as the person named it
	home string // its absolute path, for ignore files
}

func (r *reading) tree(name string) error {
	t, err := r.open(name)
	if err != nil {
		return err
	}
	defer t.root.Close() //nolint:errcheck // it was only read
	ignored, err := ignoresAbove(t.home)
	if err != nil {
		return err
	}
	return t.directory(".", ignored, false)
}

func (r *reading) open(name string) (*tree, error) {
	home, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return &tree{reading: r, root: root, name: name, home: home}, nil
}

// directory reads the files of a directory in the order of their names, and its directories
// where asked to. Within the templates of a Helm chart, files are counted and not read.
func (t *tree) directory(dir string, ignored ignores, templates bool) error {
	entries, err := fs.ReadDir(t.root.FS(), dir)
	if err != nil {
		return fmt.Errorf("%s cannot be read: %w", t.shown(dir), err)
	}
	if ignored, err = ignored.with(t.root, dir, t.home); err != nil {
		return err
	}
	isChart := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == "Chart.yaml" })
	for _, entry := range entries {
		if err := t.ctx.Err(); err != nil {
			return err
		}
		at := path.Join(dir, entry.Name())
		if ignored.match(filepath.Join(t.home, filepath.FromSlash(at)), entry.IsDir()) {
			if entry.IsDir() || hasManifestName(entry.Name()) {
				t.pass(t.shown(at), Ignored)
			}
			continue
		}
		switch {
		case entry.IsDir() && !t.Recursive && !strings.HasPrefix(entry.Name(), "."):
			t.pass(t.shown(at), NotEntered)
		case entry.IsDir() && t.Recursive && entry.Name() != ".git":
			err = t.directory(at, ignored, templates || isChart && entry.Name() == "templates")
		case !entry.IsDir() && hasManifestName(entry.Name()):
			err = t.file(at, templates)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func hasManifestName(name string) bool {
	switch filepath.Ext(name) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}

// file reads a file of the tree. A link is followed where it stays inside.
func (t *tree) file(at string, templates bool) error {
	name := t.shown(at)
	if templates {
		t.pass(name, HelmTemplate)
		return nil
	}
	own, err := t.root.Lstat(at)
	if err != nil {
		return err
	}
	info, err := t.root.Stat(at)
	switch {
	case err != nil && own.Mode()&fs.ModeSymlink != 0:
		t.pass(name, LinkOut) // or to nowhere
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return nil // behind a link: where it stays inside, it is met there
	case !info.Mode().IsRegular():
		t.pass(name, NotRegular)
		return nil
	}
	if t.again(name) {
		return nil
	}
	file, err := t.root.Open(at)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // it was only read
	return t.read(name, file, false)
}

// shown is the path of something in the tree as the person would write it.
func (t *tree) shown(at string) string { return filepath.Join(t.name, filepath.FromSlash(at)) }
