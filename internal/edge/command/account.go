package command

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/rollout"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/pods/maker"
	"pillion.dev/pillion/internal/text/glob"
)

// account settles what becomes of the objects and files of a run from which pods are made elsewhere: whether this run
// has the pods nevertheless, or a person accepts that it does not. What this leaves is an error in a verification.
func (in *input) account(w *verbRun) {
	w.Run.Makers = in.withoutRepeated(w)
	maker.Resolve(w.Run.Makers, w.Run.Sources)
	if in.flags() != "" { // which choose by names
		w.Run.Makers = slices.DeleteFunc(w.Run.Makers, func(m *maker.Maker) bool { return m.Object.Name == "" })
	}
	coverByRendered(&w.Run)
	in.coverByDirectory(w)
	w.Run.General = append(w.Run.General, in.project.coverByRows(w.Run.Makers)...)
	if in.flags() != "" && len(w.Run.Workloads) == 0 && len(w.Run.Makers) > 0 { // no workload is asked for
		isTooFew := func(f finding.Finding) bool { return f.Code == finding.TooFewMatches && f.Severity < finding.Error }
		w.Run.General = slices.DeleteFunc(w.Run.General, isTooFew)
	}
}

// withoutRepeated returns the makers of a run without those in files that its kustomizations build, because what they
// build is what a controller gets. The files tell where that is. What a kustomization would have to fetch is left out as
// well: it cannot be built, which is said elsewhere.
func (in *input) withoutRepeated(w *verbRun) []*maker.Maker {
	all := w.Run.Makers
	if len(w.roots) == 0 || len(w.manifests) == 0 || len(all) == 0 {
		return all
	}
	isUsed := in.usedByRoots(w)
	byObject := map[finding.Object][]*maker.Maker{}
	for m := range w.built {
		exact, anywhere := objectsOf(m)
		byObject[exact] = append(byObject[exact], m)
		if anywhere != exact {
			byObject[anywhere] = append(byObject[anywhere], m)
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(m *maker.Maker) bool {
		switch {
		case w.built[m]:
			return false
		case m.Kind.Name == files.HelmChart || m.Kind.Name == files.RemoteBase:
			return isUsed[files.RealPath(filepath.Dir(m.File.Path))]
		case m.Kind.Group == "" || !isUsed[files.RealPath(m.File.Path)]:
			return false
		}
		exact, _ := objectsOf(m)
		for _, built := range byObject[exact] {
			built.File = m.File
		}
		return len(byObject[exact]) > 0
	})
}

// usedByRoots returns the real paths of the files and directories that the kustomizations of a run build.
func (in *input) usedByRoots(w *verbRun) map[string]bool {
	isUsed := map[string]bool{}
	disk := in.newBuilder(nil, w.config).Disk
	for file := range w.roots {
		contents := disk.Contents(filepath.Dir(file))
		for _, path := range contents.Files {
			isUsed[path] = true
		}
		maps.Copy(isUsed, contents.Directories)
	}
	return isUsed
}

// objectsOf returns by what the object of a maker is known, and what a file has of it if a kustomization sets the
// namespace.
func objectsOf(m *maker.Maker) (exact, inFile finding.Object) {
	inFile = finding.Object{APIVersion: m.Kind.Group, Kind: m.Kind.Name, Name: m.Object.Name}
	exact = inFile
	exact.Namespace = m.Object.Namespace
	return exact, inFile
}

// coverByRendered covers the releases whose objects are in standard input. In a file, the labels prove nothing, because
// anybody can write them there, from where a renderer may print them.
func coverByRendered(run *outcome.Run) {
	shown := maker.Releases{}
	claimed := maker.Releases{}
	for _, r := range run.Rendered {
		if r.File != nil && r.File.Path == files.Stdin {
			shown.Add(r)
		} else {
			claimed.Add(r)
		}
	}
	for _, m := range run.Makers {
		switch {
		case claimed.Has(m):
			m.Why = "files have the labels of the release, which proves nothing; only standard input does"
		case shown.Has(m):
			m.Cover = "rendered into standard input"
		}
	}
}

// coverByDirectory covers what is made of directories of this repository that the run reads or builds, if nothing
// changes the pods on their way.
func (in *input) coverByDirectory(w *verbRun) {
	isMade := func(m *maker.Maker) bool { return m.Cover == "" && len(m.Directories) > 0 }
	if !slices.ContainsFunc(w.Run.Makers, isMade) {
		return
	}
	repository := newRepository()
	reads := in.newReads(w)
	for _, m := range w.Run.Makers {
		if !isMade(m) {
			continue
		}
		why := m.Why
		for _, d := range m.Directories {
			why = cmp.Or(why, repository.whyNot(d), reads.whyNot(repository.path(d), d.IsArgo))
		}
		if why == "" && len(m.Changes) > 0 {
			why = strings.Join(m.Changes, ", ") + " may change the pods on their way"
		}
		if m.Why = why; why == "" {
			m.Cover = "the directory is part of this run"
		}
	}
}

// reads is what a run reads and builds. Its paths are real ones.
type reads struct {
	built map[string]bool // the directories of kustomizations
	files map[string]bool
	dirs  map[string]bool // of the files, and above them
	// kustomizations are those that were read.
	kustomizations map[string]files.Kustomization
	// isPart are the directories of which a kustomization uses something that was not read.
	isPart map[string]bool
}

func (in *input) newReads(w *verbRun) *reads {
	r := &reads{
		built:          map[string]bool{},
		files:          map[string]bool{},
		dirs:           map[string]bool{},
		kustomizations: map[string]files.Kustomization{},
		isPart:         map[string]bool{},
	}
	isRoot := map[string]bool{}
	for file := range w.roots {
		isRoot[filepath.Dir(file)] = true
		r.built[files.RealPath(filepath.Dir(file))] = true
	}
	if in.project.isWhole && in.changes { // then they are not built, and verified by others
		for _, root := range in.project.declared.roots {
			r.built[files.RealPath(filepath.Dir(root.Path))] = true
		}
	}
	if !in.recursive { // then no directory is read as a whole
		return r
	}
	realPaths := map[string]string{}
	for _, source := range w.manifests {
		dir := filepath.Dir(source.File)
		if isRoot[source.File] || source.File == files.Stdin {
			continue
		}
		if realPaths[dir] == "" {
			realPaths[dir] = files.RealPath(dir)
		}
		r.files[filepath.Join(realPaths[dir], filepath.Base(source.File))] = true
		for at := realPaths[dir]; !r.dirs[at]; at = filepath.Dir(at) {
			r.dirs[at] = true
		}
	}
	for _, k := range w.kustomizations {
		r.kustomizations[files.RealPath(filepath.Dir(k.Path))] = k
	}
	r.findParts()
	return r
}

// findParts finds the directories of which something was not read, from what was not read to what uses it. A directory
// without a kustomization of its own has those below.
func (r *reads) findParts() {
	users := map[string][]string{}
	var pending []string
	for dir, k := range r.kustomizations {
		for _, used := range k.Uses {
			users[used] = append(users[used], dir)
			if _, isKnown := r.kustomizations[used]; !isKnown && !r.files[used] && !r.dirs[used] {
				pending = append(pending, used)
			}
		}
	}
	for len(pending) > 0 {
		path := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if r.isPart[path] || r.built[path] {
			continue
		}
		r.isPart[path] = true
		pending = append(pending, users[path]...)
		above := filepath.Dir(path)
		if _, hasKustomization := r.kustomizations[above]; !hasKustomization && r.dirs[path] {
			pending = append(pending, above)
		}
	}
}

// has reports whether the run builds a directory, or reads it with everything that its kustomizations use.
func (r *reads) has(dir string) bool {
	_, hasKustomization := r.kustomizations[dir]
	return r.built[dir] || !r.isPart[dir] && (hasKustomization || r.dirs[dir])
}

// whyNot returns why the run does not have what is made of a directory, or "".
func (r *reads) whyNot(dir string, isArgo bool) string {
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return "the path is no directory of this repository"
	}
	dir = files.RealPath(dir)
	if isArgo {
		overrides, _ := filepath.Glob(filepath.Join(dir, ".argocd-source*.yaml"))
		switch {
		case exists(filepath.Join(dir, "Chart.yaml")):
			return "the path is a chart"
		case len(overrides) > 0:
			return filepath.Base(overrides[0]) + " may change the pods on their way"
		}
	}
	if !r.has(dir) {
		return "the directory is not part of this run"
	}
	return ""
}

// repository is the repository of the working directory.
type repository struct {
	dir     string
	shown   string          // as seen from the working directory
	remotes map[string]bool // as files.NormalURL has them
}

func newRepository() repository {
	working := files.RealPath(".")
	dir := cmp.Or(files.Repository(working), working)
	shown, err := filepath.Rel(working, dir)
	if err != nil {
		shown = dir
	}
	return repository{dir: dir, shown: shown, remotes: files.Remotes(dir)}
}

// path returns the path of one of its directories.
func (r repository) path(d maker.Directory) string {
	return filepath.Join(r.shown, filepath.FromSlash(d.Path))
}

// whyNot returns why a directory is not known to be one of the repository, or "". A source that is not in the run is
// taken for this repository: that is the one that Flux was installed from, which no file has to name.
func (r repository) whyNot(d maker.Directory) string {
	url := cmp.Or(d.URL, d.Source.URL)
	kind := d.Source.Kind
	switch {
	case !filepath.IsLocal(filepath.FromSlash(cmp.Or(strings.Trim(d.Path, "/"), "."))):
		return "the path leads out of the repository"
	case url == "" && kind == "":
		return "there is no source: another object completes it"
	case url == "" && kind != "GitRepository" && kind != "OCIRepository":
		return "the source is a " + kind
	case url == maker.Several:
		return "the source is " + url
	case url != "" && !r.remotes[files.NormalURL(url)]:
		return "the repository is " + files.NormalURL(url)
	}
	return ""
}

// coverByRows covers what the project file accepts. It returns an error for each row that accepts nothing.
func (p *project) coverByRows(all []*maker.Maker) []finding.Finding {
	var findings []finding.Finding
	for i, row := range p.Covered {
		covers := p.newCover(row)
		isUsed := p.declared.coveredBy[i]
		for _, m := range all {
			if covers(m) {
				isUsed = true
				m.Cover = cmp.Or(m.Cover, row.Because)
			}
		}
		if !isUsed && p.isWhole {
			findings = append(findings, p.Problem(fmt.Sprintf("covered[%d]", i),
				"this row covers nothing; correct it, or remove it"))
		}
	}
	return findings
}

// newCover returns whether a row is about a maker.
func (p *project) newCover(row v1alpha1.Covered) func(*maker.Maker) bool {
	names := glob.NewList(row.Names...)
	namespaces := glob.NewList(row.Namespaces...)
	chart := glob.NewList(row.Chart)
	return func(m *maker.Maker) bool {
		return (row.Kind == "" || row.Kind == m.Kind.Name) &&
			(row.Path == "" || m.File != nil && rollout.Matches([]string{row.Path}, p.inside(m.File.Path))) &&
			(len(row.Names) == 0 || names.Match(m.Object.Name)) &&
			(len(row.Namespaces) == 0 || namespaces.Match(m.Object.Namespace)) &&
			(row.Chart == "" || chart.Match(m.From))
	}
}

// coversKustomization reports whether a row accepts that a kustomization is in no root: one with nothing but a path.
func (p *project) coversKustomization(k files.Kustomization) bool {
	isCovered := false
	for i, row := range p.Covered {
		isForObjects := row.Kind != "" || len(row.Names)+len(row.Namespaces) > 0 || row.Chart != ""
		if !isForObjects && rollout.Matches([]string{row.Path}, p.inside(k.Path)) {
			p.declared.coveredBy[i] = true
			isCovered = true
		}
	}
	return isCovered
}
