package command

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/pods/maker"
)

// reads is what a run reads and builds. Its directories are real paths.
type reads struct {
	built map[string]bool // those of kustomizations that were built
	read  map[string]bool // those that were read, with everything below them unless it is missing
	// missing is what is at or below a directory and not part of the run, in words. What a kustomization has is its own
	// matter, and not that of the directories above it.
	missing map[string]string
	// kustomized and ignoring are the first kustomization and the first .sourceignore at or below a directory.
	kustomized, ignoring map[string]string
	// whyNots are the answers for what is made of a directory.
	whyNots map[madeOf]string
	// isIgnoring are the directories with a .sourceignore in them or above them, as far as that was looked for.
	isIgnoring map[string]bool
	// bare is the first workload at or below a directory whose namespace is not known, and that might be injected in one.
	bare map[string]string
}

// madeOf is how a controller makes something of a directory.
type madeOf struct {
	dir                             string
	isArgo, isPlain, givesNamespace bool
}

// The names of files that change what Flux and Argo CD make of directories. Those of Argo CD only begin so.
const (
	sourceIgnore = ".sourceignore"
	argoSource   = ".argocd-source"
)

func (in *input) newReads(w *verbRun) *reads {
	r := &reads{
		built:      map[string]bool{},
		read:       map[string]bool{},
		missing:    map[string]string{},
		kustomized: map[string]string{},
		ignoring:   map[string]string{},
		whyNots:    map[madeOf]string{},
		isIgnoring: map[string]bool{},
		bare:       map[string]string{},
	}
	for file, isBuilt := range w.roots {
		if isBuilt {
			r.built[files.RealPath(filepath.Dir(file))] = true
		}
	}
	if in.project.isWhole && in.changes { // then they are not built, and verified by others
		for _, root := range in.project.declared.roots {
			r.built[files.RealPath(filepath.Dir(root.Path))] = true
		}
	}
	for _, dir := range w.directories {
		r.read[dir] = true
		if path := filepath.Join(dir, sourceIgnore); exists(path) {
			mark(r.ignoring, dir, path, nil)
		}
	}
	r.findMissing(w)
	for _, workload := range w.Run.Workloads {
		if workload.File != nil && workload.Object.Namespace == "" && slices.ContainsFunc(workload.Outcomes, in.project.dependsOnNamespace) {
			mark(r.bare, files.RealPath(filepath.Dir(workload.File.Path)), workload.Object.String(), nil)
		}
	}
	return r
}

// dependsOnNamespace reports whether an injector might be for a workload in another namespace.
func (p *project) dependsOnNamespace(o *outcome.Outcome) bool {
	byNamespace := func(to v1alpha1.RolloutPart) bool { return len(to.Namespaces) > 0 }
	switch o.Reason {
	case finding.NamespaceExcluded:
		return true
	case finding.NotRolledOut:
		return slices.ContainsFunc(p.Rollouts, func(r v1alpha1.Rollout) bool {
			return r.Injector == o.Injector && slices.ContainsFunc(r.To, byNamespace)
		})
	}
	return o.LacksNamespace
}

// findMissing finds what is not part of the run: kustomizations that are not built, and files from which a controller may
// make something else than what was read.
func (r *reads) findMissing(w *verbRun) {
	hasKustomization := map[string]bool{}
	for _, k := range w.kustomizations {
		dir := files.RealPath(filepath.Dir(k.Path))
		hasKustomization[dir] = true
		mark(r.kustomized, dir, k.Path, nil)
	}
	miss := func(dir, what string) {
		mark(r.missing, dir, what, func(dir string) bool { return hasKustomization[dir] })
	}
	for _, k := range w.kustomizations {
		if dir := files.RealPath(filepath.Dir(k.Path)); !r.built[dir] {
			miss(filepath.Dir(dir), k.Path+" is not built")
		}
	}
	realPaths := map[string]string{}
	missFile := func(path, why string) {
		dir := filepath.Dir(path)
		if realPaths[dir] == "" {
			realPaths[dir] = files.RealPath(dir)
		}
		miss(realPaths[dir], path+" is "+why)
	}
	for _, p := range w.passed {
		if mayBeApplied(p) {
			missFile(p.Path, "passed over ("+string(p.Why)+")")
		}
	}
	for _, m := range w.Run.Makers {
		if m.Kind.Group == "" && m.Kind.Name != files.HelmChart && m.Kind.Name != files.RemoteBase {
			missFile(m.File.Path, "a "+m.Kind.Noun)
		}
	}
}

// mark notes something at a directory and those above it, up to one at which it ends. What is noted already stays.
func mark(in map[string]string, dir, what string, ends func(dir string) bool) {
	for in[dir] == "" && (ends == nil || !ends(dir)) {
		in[dir] = what
		dir = filepath.Dir(dir)
	}
}

// mayBeApplied reports whether a controller may apply a file that was passed over. Git certainly does not track an
// ignored one that was not read.
func mayBeApplied(p files.Passed) bool {
	switch p.Why {
	case files.NoObject, files.BuildConfig:
		return false
	case files.Ignored:
		return p.Text != nil || slices.Contains(files.Kustomizations(), filepath.Base(p.Path))
	}
	return true
}

// whyNot returns why the run does not have what is made of a directory of a repository, or "".
func (r *reads) whyNot(d maker.Directory, dir, repository string) string {
	key := madeOf{dir, d.IsArgo, d.IsPlain, d.Namespace != ""}
	why, isKnown := r.whyNots[key]
	if !isKnown {
		why = r.findWhyNot(d, dir, repository)
		r.whyNots[key] = why
	}
	return why
}

func (r *reads) findWhyNot(d maker.Directory, dir, repository string) string {
	isKustomization := exists(firstExisting(dir, files.Kustomizations()))
	switch {
	case d.IsArgo && exists(filepath.Join(dir, "Chart.yaml")):
		return "the path is a chart"
	case d.IsPlain && (isKustomization || r.kustomized[dir] != ""):
		return "Argo CD applies the files of the kustomizations there as they are, because spec.source.directory is set"
	case isKustomization && !r.built[dir]:
		return "the kustomization there is not built in this run"
	case !isKustomization && !r.read[dir]:
		return "the directory is not read in this run"
	case !isKustomization && r.missing[dir] != "":
		return "not all below its path is part of this run: " + r.missing[dir]
	}
	if d.Namespace != "" && r.bare[dir] != "" {
		return "its destination gives a namespace to what has none, such as " + r.bare[dir] + "; write metadata.namespace there"
	}
	return r.changedBy(d, dir, repository)
}

// changedBy returns which file changes what a controller makes of a directory, in words, or "".
func (r *reads) changedBy(d maker.Directory, dir, repository string) string {
	const changes = " changes what it builds"
	if d.IsArgo {
		if overrides, _ := filepath.Glob(filepath.Join(globLiteral(dir), argoSource+"*.yaml")); len(overrides) > 0 {
			return filepath.Base(overrides[0]) + changes
		}
		return ""
	}
	if r.ignoring[dir] != "" {
		return sourceIgnore + " in its path or below it" + changes
	}
	if r.ignores(dir, repository) {
		return sourceIgnore + " in its path or above it" + changes
	}
	return ""
}

// ignores reports whether a directory of a repository, or one above it, has a .sourceignore.
func (r *reads) ignores(dir, repository string) bool {
	is, isKnown := r.isIgnoring[dir]
	if !isKnown {
		isTop := dir == repository || dir == filepath.Dir(dir)
		is = exists(filepath.Join(dir, sourceIgnore)) || !isTop && r.ignores(filepath.Dir(dir), repository)
		r.isIgnoring[dir] = is
	}
	return is
}

// globLiteral returns a path as a pattern that matches only itself.
func globLiteral(path string) string {
	return strings.NewReplacer(`*`, `[*]`, `?`, `[?]`, `[`, `[[]`).Replace(path)
}

// repository is the repository of the working directory.
type repository struct {
	dir string // its real path
	files.Checkout
	found map[string]foundDirectory // by the paths in sources
}

// foundDirectory is the real path of a directory, or why it is none of the repository.
type foundDirectory struct{ dir, why string }

func newRepository() repository {
	working := files.RealPath(".")
	dir := cmp.Or(files.Repository(working), working)
	return repository{dir: dir, Checkout: files.NewCheckout(dir), found: map[string]foundDirectory{}}
}

// find returns the real path of a directory, or why it is not known to be one of the repository.
func (r repository) find(d maker.Directory) (dir, why string) {
	if why := r.whyOther(d); why != "" {
		return "", why
	}
	found, isKnown := r.found[d.Path]
	if !isKnown {
		found.dir, found.why = r.findPath(d.Path)
		r.found[d.Path] = found
	}
	return found.dir, found.why
}

func (r repository) findPath(path string) (dir, why string) {
	path = filepath.FromSlash(cmp.Or(strings.Trim(path, "/"), "."))
	dir = files.RealPath(filepath.Join(r.dir, path))
	inside, err := filepath.Rel(r.dir, dir)
	if !filepath.IsLocal(path) || err != nil || !filepath.IsLocal(inside) {
		return "", "the path leads out of the repository"
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", "the path is no directory of this repository"
	}
	return dir, ""
}

// whyOther returns why a directory is not known to be in this repository, or "". Only the source that Flux was installed
// from may be none of the run: no file has to name it.
func (r repository) whyOther(d maker.Directory) string {
	s := d.Source
	isInstalled := s.Namespace == "flux-system" && s.Name == "flux-system"
	switch {
	case s.URL == "" && s.Kind == "" && s.Why == "":
		return "there is no source: another object completes it"
	case !d.IsArgo && s.Kind != maker.GitRepository:
		return "the source is " + s.String() + ", and only a " + maker.GitRepository + " can be compared with this checkout"
	case s.Why != "":
		return s.Why
	case s.URL == "" && isInstalled:
		return ""
	case s.URL == "":
		return s.String() + " is not in this run; read the file that has it, too"
	}
	name := files.NormalURL(s.URL)
	shown := cmp.Or(name, "not named by a URL of git with a host")
	branch := s.Branch
	if d.IsArgo && branch == "HEAD" {
		branch = ""
	}
	switch {
	case len(r.Remotes) == 0:
		return "the repository is " + shown + ", and git has no remotes here (git remote add origin URL adds it)"
	case !r.Remotes[name]:
		return "the repository is " + shown + ", which is no git remote here (in a fork: git remote add upstream URL)"
	case branch != "" && !r.Branches[branch]:
		return "the revision is " + branch + ", which is no branch of this checkout (for a default branch: git remote set-head origin -a)"
	}
	return ""
}
