package files

import (
	"cmp"
	"os"
	slashpath "path"
	"path/filepath"
	"slices"
	"strings"
)

// Below returns the kustomizations at and below a directory, except what git ignores and does not track.
func (s *Search) Below(dir string) ([]Kustomization, error) {
	w := &walk{Search: s, names: []string{anyDirs}, isIgnoring: true}
	err := w.from(dir)
	return w.found, err
}

// Match is what matches a glob.
type Match struct {
	Kustomizations []Kustomization
	// Bare are the directories that the last name of the glob matches, and that have no kustomization. Where that is **,
	// they may have anything.
	Bare []string
	// IsExcluded is whether something on the way is excluded.
	IsExcluded bool
}

// Match returns what matches a glob from a directory on, or what it names, as it is: no file has a say in what matches.
func (s *Search) Match(dir, glob string) (Match, error) {
	base, names := SplitGlob(glob)
	w := &walk{Search: s, names: names}
	err := w.from(filepath.Join(dir, base))
	return Match{w.found, w.bare, w.isExcluded}, err
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

// walk is a search by one glob. A state is a directory, by its real path, and how much of the glob is matched on the way
// there. Each state is visited once, so that links cannot lead in circles, take time, or hide a directory by another name.
type walk struct {
	*Search
	names      []string
	isIgnoring bool // whether it passes over what git ignores and does not track
	isSeen     map[state]bool
	isFound    map[string]bool // by the names of the directories
	pending    []visit
	linked     []visit // those that links lead to
	found      []Kustomization
	bare       []string // the paths of the directories that match, and have no kustomization
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
	last := len(w.names) - 1
	if k == nil && last >= 0 && w.names[last] != anyDirs && !l.isUntracked {
		w.bare = append(w.bare, dir)
	}
	if err != nil || k == nil || w.isFound[l.name] {
		return err
	}
	w.isFound[l.name] = true
	found := *k
	found.IsNamed = len(w.names) == 0
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
