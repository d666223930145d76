package command

import (
	"cmp"
	"fmt"
	"maps"
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
