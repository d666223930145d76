package command

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/pods/maker"
)

// overrides returns the files of this repository by which a controller makes something else of the directories of a run.
// It may do so for an object of another repository, so that they are makers of their own.
func (in *input) overrides(w *verbRun) []*maker.Maker {
	var dirs []string
	for _, root := range slices.Sorted(maps.Keys(w.roots)) {
		dirs = append(dirs, files.RealPath(filepath.Dir(root)))
	}
	if in.project.isWhole {
		for _, root := range in.project.declared.roots {
			dirs = append(dirs, files.RealPath(filepath.Dir(root.Path)))
		}
	}
	dirs = append(dirs, w.directories...)
	if len(dirs) == 0 {
		return nil
	}
	repository := newRepository()
	working := files.RealPath(".")
	seen := map[string]bool{}
	var found []*maker.Maker
	for _, dir := range dirs {
		for !seen[dir] {
			seen[dir] = true
			found = append(found, overridesIn(dir, working)...)
			if inside, err := filepath.Rel(repository.dir, dir); err != nil || !filepath.IsLocal(inside) || inside == "." {
				break
			}
			dir = filepath.Dir(dir)
		}
	}
	return found
}

// overridesIn returns those in a directory. Their paths are relative to another one.
func overridesIn(dir, working string) []*maker.Maker {
	const way = "remove it, and change the manifests instead"
	entries, _ := os.ReadDir(dir) // what cannot be read is reported where it is read for the run
	var found []*maker.Maker
	for _, entry := range entries {
		name := sourceIgnore
		by := "Flux"
		if strings.HasPrefix(entry.Name(), argoSource) && strings.HasSuffix(entry.Name(), ".yaml") {
			name = argoSource
			by = "Argo CD"
		} else if entry.Name() != sourceIgnore {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		if relative, err := filepath.Rel(working, path); err == nil {
			path = relative
		}
		m := maker.OfFile(name, name+" files", path, "", way)
		m.Why = "it changes what " + by + " makes of this directory"
		found = append(found, m)
	}
	return found
}
