package command

import (
	"cmp"
	"fmt"
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
	maker.Resolve(w.Run.Makers, w.Run.Sources)
	w.Run.Makers = withoutBuiltTwice(w.Run.Makers, w.roots)
	if in.chosen.flags() != "" {
		w.Run.Makers = slices.DeleteFunc(w.Run.Makers, func(m *maker.Maker) bool { return m.Object.Name == "" })
	}
	in.coverByRendered(&w.Run)
	in.coverByDirectory(w)
	w.Run.General = append(w.Run.General, in.project.coverByRows(w.Run.Makers)...)
}

// withoutBuiltTwice leaves out what a kustomization builds of an object that is in the files of the run as well.
func withoutBuiltTwice(all []*maker.Maker, roots map[string]bool) []*maker.Maker {
	type key struct{ group, kind, name, from string }
	keyOf := func(m *maker.Maker) key { return key{m.Kind.Group, m.Kind.Name, m.Object.Name, m.From} }
	isBuilt := func(m *maker.Maker) bool { return m.File != nil && roots[m.File.Path] && m.Kind.Group != "" }
	inFiles := map[key][]string{} // the namespaces
	for _, m := range all {
		if !isBuilt(m) {
			inFiles[keyOf(m)] = append(inFiles[keyOf(m)], m.Object.Namespace)
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(m *maker.Maker) bool {
		namespaces := inFiles[keyOf(m)]
		return isBuilt(m) && (slices.Contains(namespaces, m.Object.Namespace) || slices.Contains(namespaces, ""))
	})
}

// coverByRendered covers the releases whose objects are in standard input. In a file, the labels prove nothing: anybody
// can write them there.
func (in *input) coverByRendered(run *outcome.Run) {
	var claims []maker.Rendered
	for _, r := range run.Rendered {
		if r.File != nil && r.File.Path != files.Stdin {
			claims = append(claims, r)
			continue
		}
		for _, m := range run.Makers {
			if m.Cover == "" && r.Is(m) {
				m.Cover = "rendered into standard input"
			}
		}
	}
	for _, m := range run.Makers {
		isClaimed := slices.ContainsFunc(claims, func(r maker.Rendered) bool { return r.Is(m) })
		if m.Cover == "" && isClaimed {
			m.Why = "files have its labels, which proves nothing; only standard input does"
		}
	}
}

// coverByDirectory covers what is made of directories of this repository that the run reads or builds, if nothing
// changes the pods on their way.
func (in *input) coverByDirectory(w *verbRun) {
	repository := newRepository()
	for _, m := range w.Run.Makers {
		if m.Cover != "" || len(m.Directories) == 0 {
			continue
		}
		why := ""
		for _, d := range m.Directories {
			why = cmp.Or(why, repository.whyNot(d), in.whyNotRead(w, repository.path(d)))
		}
		if why == "" && len(m.Changes) > 0 {
			why = "its " + strings.Join(m.Changes, ", ") + " may change the pods on their way"
		}
		if m.Why = why; why == "" {
			m.Cover = "its directory is part of this run"
		}
	}
}

// whyNotRead returns why the run does not have what is in a directory, or "".
func (in *input) whyNotRead(w *verbRun, dir string) string {
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return "its path is no directory of this repository"
	}
	dir = files.RealPath(dir)
	isAt := func(path string) bool { return files.RealPath(filepath.Dir(path)) == dir }
	for file := range w.roots {
		if isAt(file) {
			return ""
		}
	}
	for _, path := range in.paths {
		inside, err := filepath.Rel(files.RealPath(path), dir)
		if err == nil && filepath.IsLocal(inside) && (in.recursive || inside == ".") {
			return ""
		}
	}
	return "its directory is not part of this run"
}

// repository is the repository of the working directory.
type repository struct {
	dir     string
	remotes map[string]bool // normalised URLs
}

func newRepository() repository {
	dir := cmp.Or(files.Repository(files.RealPath(".")), files.RealPath("."))
	return repository{dir: dir, remotes: files.Remotes(dir)}
}

// path returns the path of one of its directories.
func (r repository) path(d maker.Directory) string {
	path := filepath.Join(r.dir, filepath.FromSlash(d.Path))
	if shown, err := filepath.Rel(files.RealPath("."), path); err == nil {
		return shown
	}
	return path
}

// whyNot returns why a directory is not known to be one of the repository, or "". A source that is not in the run was
// created when Flux was installed, from this repository.
func (r repository) whyNot(d maker.Directory) string {
	url := cmp.Or(d.URL, d.Source.URL)
	switch {
	case !filepath.IsLocal(filepath.FromSlash(cmp.Or(strings.TrimPrefix(d.Path, "/"), "."))):
		return "its path leads out of the repository"
	case url == "" && d.Source.Kind != "" && d.Source.Kind != "GitRepository" && d.Source.Kind != "OCIRepository":
		return "its source is a " + d.Source.Kind
	case url != "" && !r.remotes[files.NormalURL(url)]:
		return "its repository is " + url
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
