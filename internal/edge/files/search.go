package files

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	slashpath "path"
	"path/filepath"
	"slices"
)

// Search finds kustomizations in the repository that a directory is in, or without one, in the directory. It follows
// symbolic links there, and an error says which one leads out.
//
// It lists each directory once, for all that is searched in it. A walk searches by one glob.
type Search struct {
	tree     *tree // the whole repository; names in it have no links
	listings map[string]*listing
	isPassed map[string]bool
}

// listing is what a directory has that may be a kustomization or lead to one.
type listing struct {
	directory
	// isUntracked is whether git ignores the directory, and tracks nothing in it.
	isUntracked bool
	// dirs and links are its subdirectories and symbolic links.
	dirs, links []string
	// files are those with the name of a kustomization, which may be links.
	files []fs.DirEntry
	// kustomization has the name of its file in place of a path; nil if there is none, or before it is read.
	kustomization *Kustomization
}

// NewSearch returns a search that passes over what patterns exclude. It has to be closed.
func NewSearch(ctx context.Context, dir string, exclude []string) (*Search, error) {
	run := &reading{ctx: ctx}
	var err error
	if run.excluded, err = newExclusions(exclude); err != nil {
		return nil, err
	}
	dir = RealPath(dir)
	t, err := run.openTree(cmp.Or(Repository(dir), dir))
	if err != nil {
		return nil, err
	}
	return &Search{tree: t, listings: map[string]*listing{}, isPassed: map[string]bool{}}, nil
}

// Close ends the search.
func (s *Search) Close() { s.tree.run.close() }

// Passed returns what was found and passed over.
func (s *Search) Passed() []Passed { return s.tree.run.found.Passed }

func (s *Search) passOver(path string, why Why) {
	if !s.isPassed[path] {
		s.isPassed[path] = true
		s.tree.run.passOver(Passed{Path: path, Why: why})
	}
}

// list returns what a directory has, by its name in the tree.
func (s *Search) list(name string) (*listing, error) {
	if l := s.listings[name]; l != nil {
		return l, nil
	}
	l := &listing{}
	if name != "." {
		above, err := s.list(slashpath.Dir(name))
		if err != nil {
			return nil, err
		}
		l.directory = above.directory
		at := s.tree.location(name)
		if err := s.tree.run.ignore(&l.directory, at, true); err != nil {
			return nil, err
		}
		l.isUntracked = l.directory.isUntracked(at)
	}
	l.name = name
	entries, err := fs.ReadDir(s.tree.root.FS(), name)
	if err != nil {
		return nil, unreadable(s.tree.path(name), err)
	}
	names := map[string]bool{}
	for _, entry := range entries {
		names[entry.Name()] = true
		switch {
		case entry.Name() == ".git":
		case entry.IsDir():
			l.dirs = append(l.dirs, entry.Name())
		case slices.Contains(Kustomizations(), entry.Name()):
			l.files = append(l.files, entry)
		case entry.Type()&fs.ModeSymlink != 0:
			l.links = append(l.links, entry.Name())
		}
	}
	l.directory, err = s.tree.withIgnores(l.directory, func(name string) bool { return names[name] })
	s.listings[name] = l
	return l, err
}

// read returns the kustomization in a directory, with the name of its file in place of a path, or nil. The user would
// write the directory as dir.
func (s *Search) read(l *listing, dir string) (*Kustomization, error) {
	for _, file := range l.files {
		if l.kustomization != nil {
			break // kustomize refuses several
		}
		name := slashpath.Join(l.name, file.Name())
		if file.Type()&fs.ModeSymlink != 0 {
			var err error
			name, err = s.follow(l, file.Name(), filepath.Join(dir, file.Name()), false)
			if err != nil {
				return nil, err
			}
		}
		if name != "" {
			k, _ := s.tree.decodeKustomization(name) // what cannot be read is an error of its build
			uses := existing(s.tree.location(l.name), k.resources())
			l.kustomization = new(newKustomization(file.Name(), uses))
		}
	}
	return l.kustomization, nil
}

// follow returns the name in the tree of what a symbolic link in a directory leads to, or "" if that is not a directory,
// or not a file. One that leads out of the repository is an error, unless git certainly does not track it.
func (s *Search) follow(l *listing, entry, path string, toDirectory bool) (name string, err error) {
	link := filepath.Join(s.tree.location(l.name), entry)
	target, broken := filepath.EvalSymlinks(link)
	if broken != nil {
		target, _ = os.Readlink(link)
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(link), target)
		}
	}
	name, isInside := s.nameOf(target)
	info, err := os.Stat(link)
	switch {
	case err == nil && info.IsDir() != toDirectory:
		return "", nil
	case !isInside && l.ignores.track(link):
		return "", leadsOut(path)
	case !isInside:
		s.passOver(path, LinkOut)
		return "", nil
	case err != nil:
		return "", nil //nolint:nilerr // a link to nothing leads nowhere
	}
	return name, nil
}

// nameOf returns the name of a real path in the tree, and whether it is in there.
func (s *Search) nameOf(realPath string) (name string, isInside bool) {
	inside, err := filepath.Rel(s.tree.home, realPath)
	return filepath.ToSlash(inside), err == nil && filepath.IsLocal(inside)
}

// leadsOut returns the error about a link.
func leadsOut(path string) error {
	return fmt.Errorf("%s leads out of the repository, and nothing outside of it is built; "+
		"put the files in its place, or exclude it", path)
}

// Used returns the directories of roots, and those that they use, directly or through others, by their real paths.
func (s *Search) Used(roots []Kustomization) (map[string]bool, error) {
	isUsed := map[string]bool{}
	var pending []string // the real paths of files and directories
	for _, root := range roots {
		pending = append(pending, root.dir())
	}
	for i := 0; i < len(pending); i++ {
		at := pending[i]
		name, isInside := s.nameOf(at)
		if info, err := os.Stat(at); isUsed[at] || !isInside || err != nil || !info.IsDir() {
			continue
		}
		isUsed[at] = true
		l, err := s.list(name)
		if err != nil {
			return nil, err
		}
		k, err := s.read(l, at)
		if err != nil {
			return nil, err
		}
		if k != nil {
			pending = append(pending, k.Uses...)
		}
	}
	return isUsed, nil
}

// Unused returns those kustomizations that are in none of the directories that Used has returned.
func Unused(all []Kustomization, isUsed map[string]bool) []Kustomization {
	return slices.DeleteFunc(slices.Clone(all), func(k Kustomization) bool { return isUsed[k.dir()] })
}

// KustomizationsBelow returns the kustomizations at and below directories, as Search.Below, and what is passed over.
func KustomizationsBelow(ctx context.Context, dirs, exclude []string) (found []Kustomization, passed []Passed, err error) {
	for _, dir := range dirs {
		below, others, err := kustomizationsBelow(ctx, dir, exclude)
		if err != nil {
			return nil, nil, err
		}
		found = append(found, below...)
		passed = append(passed, others...)
	}
	return found, passed, nil
}

func kustomizationsBelow(ctx context.Context, dir string, exclude []string) (found []Kustomization, passed []Passed, err error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, nil, Missing(dir)
	}
	s, err := NewSearch(ctx, dir, exclude)
	if err != nil {
		return nil, nil, err
	}
	defer s.Close()
	found, err = s.Below(dir)
	return found, s.Passed(), err
}
