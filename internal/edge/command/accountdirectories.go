package command

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/pods/maker"
)

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
