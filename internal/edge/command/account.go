package command

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

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
	if len(w.Run.Makers) > 0 {
		uses := in.newUses(w)
		w.Run.Makers = uses.withoutRepeated(w.Run.Makers)
		maker.Resolve(w.Run.Makers, uses.sources(w.Run.Sources))
		coverByRendered(&w.Run)
		in.coverByDirectory(w, uses)
	}
	w.Run.Makers = append(w.Run.Makers, in.overrides(w)...)
	if in.flags() != "" { // which choose by names
		w.Run.Makers = slices.DeleteFunc(w.Run.Makers, func(m *maker.Maker) bool { return m.Object.Name == "" })
	}
	w.Run.General = append(w.Run.General, in.project.coverByRows(w.Run.Makers)...)
	if in.flags() != "" && len(w.Run.Workloads) == 0 && len(w.Run.Makers) > 0 { // no workload is asked for
		isTooFew := func(f finding.Finding) bool { return f.Code == finding.TooFewMatches && f.Severity < finding.Error }
		w.Run.General = slices.DeleteFunc(w.Run.General, isTooFew)
	}
}

// uses is what the kustomizations of a run use, by the real paths of files and directories.
type uses struct {
	roots  map[string][]string // the files of those that the run builds, also of what they use by others
	others map[string]string   // the file of one that it only reads
}

func (in *input) newUses(w *verbRun) uses {
	u := uses{roots: map[string][]string{}, others: map[string]string{}}
	disk := in.newBuilder(nil, w.config).Disk
	for root := range w.roots {
		contents := disk.Contents(filepath.Dir(root))
		for _, path := range slices.AppendSeq(contents.Files, maps.Keys(contents.Directories)) {
			u.roots[path] = append(u.roots[path], root)
		}
	}
	if in.changes { // then it builds none
		return u
	}
	for _, k := range w.kustomizations {
		for _, path := range k.Uses {
			u.others[path] = cmp.Or(u.others[path], k.Path)
		}
	}
	return u
}

// whyNot returns that it is not known what becomes of an object in a file, in words, or "" if it is.
func (u uses) whyNot(file string) string {
	if by := u.others[files.RealPath(file)]; by != "" {
		return "what " + by + " makes of it is not part of this run (build that, too)"
	}
	return ""
}

// sources returns sources without those in files that the run builds, because what it builds of them is what counts. If
// another kustomization may change one, it is not known what it says.
func (u uses) sources(all []maker.Source) []maker.Source {
	var found []maker.Source
	for _, s := range all {
		if s.File != "" {
			if len(u.roots[files.RealPath(s.File)]) > 0 {
				continue
			}
			if why := u.whyNot(s.File); why != "" && s.Kind == maker.GitRepository {
				s.Why = cmp.Or(s.Why, s.String()+": "+why)
			}
		}
		found = append(found, s)
	}
	return found
}

// withoutRepeated returns the makers of a run without those in files that its kustomizations build, because what they
// build is what a controller gets. The file tells where that is, if only one has an object of the name. What a
// kustomization would have to fetch is left out as well: it cannot be built, which is said elsewhere.
func (u uses) withoutRepeated(all []*maker.Maker) []*maker.Maker {
	byObject := map[builtObject][]*maker.Maker{}
	for _, m := range all {
		if m.Root != "" {
			object := builtObject{m.Root, m.Kind, m.Object.Name}
			byObject[object] = append(byObject[object], m)
		}
	}
	sources := map[builtObject]map[string]bool{} // the files with an object of the name
	for _, m := range all {
		if m.Root != "" || m.Kind.Group == "" || m.File == nil {
			continue
		}
		for _, root := range u.roots[files.RealPath(m.File.Path)] {
			object := builtObject{root, m.Kind, m.Object.Name}
			if sources[object] == nil {
				sources[object] = map[string]bool{}
			}
			sources[object][m.File.Path] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(m *maker.Maker) bool {
		switch {
		case m.Root != "":
			return false
		case m.Kind.Name == files.HelmChart || m.Kind.Name == files.RemoteBase:
			return len(u.roots[files.RealPath(filepath.Dir(m.File.Path))]) > 0
		case m.Kind.Group == "" || m.File == nil:
			return false
		}
		isBuilt := false
		for _, root := range u.roots[files.RealPath(m.File.Path)] {
			object := builtObject{root, m.Kind, m.Object.Name}
			isOnly := len(byObject[object]) == 1 && len(sources[object]) == 1
			for _, built := range byObject[object] {
				if isOnly {
					built.File = m.File
				}
				isBuilt = true
			}
		}
		return isBuilt
	})
}

// builtObject is what a kustomization has built, in whatever namespace: it may set that.
type builtObject struct {
	root string
	kind *maker.Kind
	name string
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
func (in *input) coverByDirectory(w *verbRun, uses uses) {
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
		m.Why = cmp.Or(m.Why, m.Changed)
		if m.Root == "" && m.File != nil {
			m.Why = cmp.Or(m.Why, uses.whyNot(m.File.Path))
		}
		for _, d := range m.Directories {
			if m.Why != "" {
				break
			}
			var dir string
			if dir, m.Why = repository.find(d); m.Why == "" {
				m.Why = reads.whyNot(d, dir, repository.dir)
			}
		}
		if m.Why == "" {
			m.Cover = "the directory is part of this run"
		}
	}
}

// coverByRows covers what the project file accepts. It returns an error for each row that accepts nothing.
func (p *project) coverByRows(all []*maker.Maker) []finding.Finding {
	var findings []finding.Finding
	paths := make([][]string, len(all)) // as the project writes them
	for i, m := range all {
		if m.File != nil {
			paths[i] = append(paths[i], p.inside(m.File.Path))
		}
		if m.Root != "" {
			paths[i] = append(paths[i], p.inside(m.Root))
		}
	}
	for i, row := range p.Covered {
		covers := newCover(row)
		isUsed := p.declared.coveredBy[i]
		for j, m := range all {
			if !covers(m, paths[j]) {
				continue
			}
			isUsed = true
			if why := m.Doubt(); row.Chart != "" && why != "" {
				m.Why = fmt.Sprintf("covered[%d] does not cover it by its chart: %s", i, why)
				continue
			}
			m.Cover = cmp.Or(m.Cover, row.Because)
		}
		if !isUsed && p.isWhole {
			findings = append(findings, p.Problem(fmt.Sprintf("covered[%d]", i),
				"this row covers nothing; correct it, or remove it"))
		}
	}
	return findings
}

// newCover returns whether a row is about a maker with some paths: those of its file, and of the kustomization that it was
// built of.
func newCover(row v1alpha1.Covered) func(m *maker.Maker, paths []string) bool {
	names := glob.NewList(row.Names...)
	namespaces := glob.NewList(row.Namespaces...)
	chart := glob.NewList(row.Chart)
	globs := rollout.NewGlobs(row.Path)
	return func(m *maker.Maker, paths []string) bool {
		return (row.Kind == "" || row.Kind == m.Kind.Name) &&
			(len(row.Names) == 0 || names.Match(m.Object.Name)) &&
			(len(row.Namespaces) == 0 || namespaces.Match(m.Object.Namespace)) &&
			(row.Chart == "" || chart.Match(m.From)) &&
			(row.Path == "" || slices.ContainsFunc(paths, globs.Match))
	}
}

// withoutCovered returns the kustomizations in no root that no row accepts. A row does that with nothing but a path.
func (p *project) withoutCovered(inNoRoot []files.Kustomization) []files.Kustomization {
	p.declared.coveredBy = map[int]bool{}
	paths := make([]string, len(inNoRoot))
	for i, k := range inNoRoot {
		paths[i] = p.inside(k.Path)
	}
	isCovered := map[string]bool{} // by the paths of their files
	for i, row := range p.Covered {
		if row.Kind != "" || len(row.Names)+len(row.Namespaces) > 0 || row.Chart != "" {
			continue
		}
		globs := rollout.NewGlobs(row.Path)
		for j, path := range paths {
			if globs.Match(path) {
				p.declared.coveredBy[i] = true
				isCovered[inNoRoot[j].Path] = true
			}
		}
	}
	return slices.DeleteFunc(inNoRoot, func(k files.Kustomization) bool { return isCovered[k.Path] })
}
