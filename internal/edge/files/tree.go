package files

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// tree is a directory that the user named. It is read through an os.Root, so that no symbolic link leads out of it.
// Names in it are relative, with slashes.
type tree struct {
	run  *reading
	root *os.Root
	dir  string // as the user named it
	home string // its real path
	// walked are the directories that were read, each with everything below it if the Reader is recursive.
	walked []string
}

// directory is a directory of a tree, and what holds for everything in it.
type directory struct {
	name    string
	ignores ignores
	// byGit and byKpt are whether an ignore file excludes the directory.
	byGit, byKpt         bool
	isChart, isTemplates bool
	isCounted            bool // whether it is a chart that is noted
	isSubchart           bool // whether it is in charts/ of one, or below
}

func (r *reading) readTree(dir string) error {
	t, err := r.openTree(dir)
	if err != nil {
		return err
	}
	return t.readFrom(".")
}

func (r *reading) openTree(dir string) (*tree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, unreadable(dir, err)
	}
	t := &tree{run: r, root: root, dir: dir, home: RealPath(dir)}
	r.trees = append(r.trees, t)
	return t, nil
}

// close closes the trees.
func (r *reading) close() {
	for _, t := range r.trees {
		_ = t.root.Close() // it was only read
	}
}

// path returns the path of a file as the user would write it.
func (t *tree) path(name string) string { return filepath.Join(t.dir, filepath.FromSlash(name)) }

// location returns the absolute path of a file. The directories in it are no symbolic links, because those are not
// entered.
func (t *tree) location(name string) string { return filepath.Join(t.home, filepath.FromSlash(name)) }

// walkedName returns the name of a file by its real path, and whether the file is in a directory that was read.
func (t *tree) walkedName(realPath string) (name string, isWalked bool) {
	inside, err := filepath.Rel(t.home, realPath)
	if err != nil || !filepath.IsLocal(inside) {
		return "", false
	}
	name = filepath.ToSlash(inside)
	return name, slices.ContainsFunc(t.walked, func(dir string) bool {
		isBelow := dir == "." || strings.HasPrefix(name, dir+"/")
		return isBelow && t.run.reader.Recursive || path.Dir(name) == dir
	})
}

// readFrom reads a directory that the user named, with the ignore files above it.
func (t *tree) readFrom(dir string) error {
	t.walked = append(t.walked, dir)
	ignores, err := ignoresAbove(t.location(dir))
	if err != nil {
		return err
	}
	return t.readDirectory(directory{name: dir, ignores: ignores})
}

// readDirectory finds the files of a directory in the order of their names, and its subdirectories if the Reader is
// recursive.
func (t *tree) readDirectory(dir directory) error {
	entries, err := fs.ReadDir(t.root.FS(), dir.name)
	if err != nil {
		return unreadable(t.path(dir.name), err)
	}
	if len(entries) == 0 && t.isSubmodule(dir) {
		t.run.passOver(Passed{Path: t.path(dir.name), Why: Submodule})
	}
	has := func(name string) bool {
		return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name })
	}
	if dir, err = t.withIgnores(dir, has); err != nil {
		return err
	}
	dir.isChart = has(chartFile) && t.isChart(dir.name)
	if t.run.reader.Recursive {
		t.run.found.Directories = append(t.run.found.Directories, t.location(dir.name))
	}
	if dir.isCounted, err = t.findMakers(dir, entries); err != nil {
		return err
	}
	for _, entry := range entries {
		if err := t.run.ctx.Err(); err != nil {
			return err
		}
		if err := t.readEntry(dir, entry); err != nil {
			return err
		}
	}
	return nil
}

// isSubmodule reports whether git tracks an empty directory, or may do so. It tracks only those of submodules, which
// have to be in its .gitmodules to be cloned.
func (t *tree) isSubmodule(dir directory) bool {
	at := t.location(dir.name)
	repository := Repository(at)
	return repository != "" && exists(filepath.Join(repository, ".gitmodules")) && dir.ignores.track(at)
}

// withIgnores returns a directory with its own ignore files, given which names it has.
func (t *tree) withIgnores(dir directory, has func(name string) bool) (directory, error) {
	if has(".git") {
		// It is a repository of its own, to which ignore files above do not apply.
		dir.byGit = false
		dir.ignores.git = nil
		dir.ignores.index = newGitIndex(t.location(dir.name))
	}
	var err error
	if !dir.byGit && (has(gitIgnore) || has(krmIgnore)) {
		dir.ignores, err = dir.ignores.with(t, dir.name)
	}
	return dir, err
}

// readEntry notes a file in a directory, or reads a directory. A kustomization that lists a file as a resource changes
// what becomes of it.
func (t *tree) readEntry(dir directory, entry fs.DirEntry) error {
	if !isRelevant(entry) {
		return nil
	}
	name := path.Join(dir.name, entry.Name())
	location := t.location(name)
	if t.run.excluded.match(location) {
		t.run.passOver(Passed{Path: t.path(name), Why: Excluded})
		return nil
	}
	// The directory is a copy, which has what holds for this entry from here on.
	if err := t.run.ignore(&dir, location, entry.IsDir()); err != nil {
		return err
	}
	file := &candidate{tree: t, name: name, kind: entry.Type(), isIgnored: dir.byGit || dir.byKpt}
	file.why = t.whyNotRead(dir, location)
	if entry.IsDir() {
		return t.readSubdirectory(dir, entry.Name(), file.why == Ignored)
	}
	if hasTemplateName(entry.Name()) && !file.isLink() {
		if !file.isIgnored {
			t.run.found.Templates = append(t.run.found.Templates, file.path())
		}
		return nil
	}
	if !hasManifestName(entry.Name()) {
		if file.why == Ignored {
			return nil
		}
		file.why = LinkOut
	}
	t.run.addCandidate(file)
	return nil
}

// isRelevant reports whether something in a directory may have manifests, lead to some, or be a template of one.
func isRelevant(entry fs.DirEntry) bool {
	name := entry.Name()
	isLink := entry.Type()&fs.ModeSymlink != 0
	return name != ".git" && (entry.IsDir() || isLink || hasManifestName(name) || hasTemplateName(name))
}

// isUntracked reports whether git ignores something in a directory, and certainly does not track it.
func (d directory) isUntracked(location string) bool { return d.byGit && !d.ignores.track(location) }

// whyNotRead returns why something in a directory is not read, or "" if it is. What an ignore file excludes is only
// read for a Complete reader, unless git certainly does not track it. The templates of a Helm chart are not read.
func (t *tree) whyNotRead(dir directory, location string) Why {
	isIgnored := dir.byGit || dir.byKpt
	if dir.isUntracked(location) || isIgnored && !t.run.reader.Complete {
		return Ignored
	}
	if dir.isTemplates {
		return HelmTemplate
	}
	return ""
}

// readSubdirectory reads a directory in another one if the Reader is recursive, unless it has nothing that is read.
func (t *tree) readSubdirectory(dir directory, entry string, isUntracked bool) error {
	name := path.Join(dir.name, entry)
	switch {
	case isUntracked:
		t.run.passOver(Passed{Path: t.path(name), Why: Ignored})
	case t.run.reader.Recursive:
		isNoted := dir.isCounted || dir.isSubchart || !t.run.reader.Complete
		dir.isTemplates = dir.isTemplates || dir.isChart && isNoted && entry == "templates"
		dir.isSubchart = dir.isSubchart || dir.isCounted && entry == "charts"
		dir.name = name
		return t.readDirectory(dir)
	case !strings.HasPrefix(entry, "."):
		t.run.passOver(Passed{Path: t.path(name), Why: NotEntered})
	}
	return nil
}

// hasManifestName reports whether a file may have manifests, or is a kustomization, which may say that others have
// none.
func hasManifestName(name string) bool {
	extensions := []string{".yaml", ".yml", ".json"}
	return slices.Contains(Kustomizations(), name) || slices.Contains(extensions, filepath.Ext(name))
}

// hasTemplateName reports whether a file has the name of a text that another tool turns into manifests.
func hasTemplateName(name string) bool {
	extensions := []string{".j2", ".tpl", ".tmpl", ".gotmpl", ".jsonnet", ".libsonnet", ".cue"}
	return slices.Contains(extensions, filepath.Ext(name))
}
