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
	"strings"
)

// Search finds kustomizations in the repository that a directory is in, or without one, in the directory. It follows
// symbolic links there, and an error says which one leads out.
//
// It searches by globs. A state is a directory, by its real path, and how much of a glob is matched on the way there.
// Each state is visited once, so that links cannot lead in circles, take time, or hide a directory by another name.
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

// Below returns the kustomizations at and below a directory, except what git ignores and does not track.
func (s *Search) Below(dir string) ([]Kustomization, error) {
	w := &walk{Search: s, names: []string{anyDirs}, isIgnoring: true}
	err := w.from(dir)
	return w.found, err
}

// Match returns the kustomizations that match a glob from a directory on, or the one that it names, as they are: no file
// has a say in what matches. It also returns whether something on the way is excluded.
func (s *Search) Match(dir, glob string) (found []Kustomization, isExcluded bool, err error) {
	base, names := SplitGlob(glob)
	w := &walk{Search: s, names: names}
	err = w.from(filepath.Join(dir, base))
	return w.found, w.isExcluded, err
}

// anyDirs matches any number of directories in a glob.
const anyDirs = "**"

// SplitGlob returns the directory that a glob begins with, and the names and patterns of the directories below it.
func SplitGlob(glob string) (base string, names []string) {
	all := strings.Split(slashpath.Clean(filepath.ToSlash(glob)), "/")
	isPattern := func(name string) bool { return strings.ContainsAny(name, wildcards+`\`) }
	first := slices.IndexFunc(all, isPattern)
	if first < 0 {
		first = len(all)
	}
	return filepath.Join(all[:first]...), all[first:]
}

// walk is a search by one glob.
type walk struct {
	*Search
	names      []string
	isIgnoring bool // whether it passes over what git ignores and does not track
	isSeen     map[state]bool
	isFound    map[string]bool // by the names of the directories
	pending    []visit
	linked     []visit // those that links lead to
	found      []Kustomization
	isExcluded bool
}

// state is a directory, and how many names of the glob are matched.
type state struct {
	name    string
	matched int
}

// visit is a state, and the path by which the user would write the directory.
type visit struct {
	state
	path string
}

// from searches from a directory on. Directories that links lead to come last, so that one is found by its own name if
// that matches.
func (w *walk) from(dir string) error {
	if w.tree.run.excluded.match(location(dir)) {
		w.exclude(dir)
		return nil
	}
	start, isInside := w.nameOf(RealPath(dir))
	if !isInside {
		return leadsOut(dir)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil //nolint:nilerr // what is no directory has no kustomizations
	}
	w.isSeen = map[state]bool{}
	w.isFound = map[string]bool{}
	w.pending = []visit{{state{name: start}, dir}}
	for len(w.pending) > 0 {
		for i := 0; i < len(w.pending); i++ { //nolint:intrange // it grows
			if err := w.visit(w.pending[i]); err != nil {
				return err
			}
		}
		w.pending = w.linked
		w.linked = nil
	}
	slices.SortFunc(w.found, func(a, b Kustomization) int {
		return cmp.Compare(filepath.Dir(a.Path), filepath.Dir(b.Path))
	})
	return nil
}

func (w *walk) visit(v visit) error {
	if w.isSeen[v.state] {
		return nil
	}
	w.isSeen[v.state] = true
	if err := w.tree.run.ctx.Err(); err != nil {
		return err
	}
	l, err := w.list(v.name)
	if err != nil {
		return err
	}
	if w.isIgnoring && l.isUntracked {
		w.passOver(v.path, Ignored)
		return nil
	}
	if v.matched == len(w.names) {
		return w.add(l, v.path)
	}
	pattern := w.names[v.matched]
	next := v.matched + 1
	if pattern == anyDirs {
		w.pending = append(w.pending, visit{state{v.name, next}, v.path}) // none, or no more of them
		next = v.matched
	}
	for _, entry := range l.dirs {
		if child, is := w.step(l, v, pattern, entry); is {
			w.pending = append(w.pending, visit{state{slashpath.Join(v.name, entry), next}, child})
		}
	}
	for _, entry := range l.links {
		child, is := w.step(l, v, pattern, entry)
		if !is {
			continue
		}
		name, err := w.follow(l, entry, child, true)
		if err != nil {
			return err
		}
		if name != "" {
			w.linked = append(w.linked, visit{state{name, next}, child})
		}
	}
	return nil
}

// step returns the path of an entry of a directory, and whether a pattern matches it and it is not excluded.
func (w *walk) step(l *listing, v visit, pattern, entry string) (child string, is bool) {
	if pattern != anyDirs {
		if isMatch, err := slashpath.Match(pattern, entry); !isMatch || err != nil {
			return "", false
		}
	}
	child = filepath.Join(v.path, entry)
	// What is above was excluded by the name that led here, if at all: a link out of an excluded directory counts.
	excluded := w.tree.run.excluded
	if len(excluded) > 0 && excluded[w.tree.location(slashpath.Join(l.name, entry))] {
		w.exclude(child)
		return "", false
	}
	return child, true
}

func (w *walk) exclude(path string) {
	w.passOver(path, Excluded)
	w.isExcluded = true
}

// add adds the kustomization in a directory, if there is one.
func (w *walk) add(l *listing, dir string) error {
	k, err := w.read(l, dir)
	if err != nil || k == nil || w.isFound[l.name] {
		return err
	}
	w.isFound[l.name] = true
	found := *k
	file := w.tree.location(slashpath.Join(l.name, k.Path))
	found.Path = filepath.Join(dir, k.Path)
	if w.tree.run.excluded[file] {
		w.exclude(found.Path)
		return nil
	}
	if w.isIgnoring {
		in := l.directory
		if err := w.tree.run.ignore(&in, file, false); err != nil {
			return err
		}
		if in.isUntracked(file) {
			w.passOver(found.Path, Ignored)
			return nil
		}
	}
	w.found = append(w.found, found)
	return nil
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
		switch isLink := entry.Type()&fs.ModeSymlink != 0; {
		case entry.Name() == ".git":
		case entry.IsDir():
			l.dirs = append(l.dirs, entry.Name())
		case slices.Contains(Kustomizations(), entry.Name()):
			l.files = append(l.files, entry)
		case isLink:
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

// Unused returns those kustomizations that roots do not use, neither directly nor through others.
func (s *Search) Unused(all, roots []Kustomization) ([]Kustomization, error) {
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
	return slices.DeleteFunc(slices.Clone(all), func(k Kustomization) bool { return isUsed[k.dir()] }), nil
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
