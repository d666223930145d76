package command

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"pillion.dev/pillion/internal/edge/files"
)

// templateExtensions are those of texts that other tools turn into manifests.
var templateExtensions = []string{".j2", ".tpl", ".tmpl", ".gotmpl", ".jsonnet", ".libsonnet", ".cue"}

// firstTemplate returns the path of a template in directories, which another tool has to render first, or "". Passed
// are the files that were read there and passed over.
func (in *input) firstTemplate(dirs []string, passed []files.Passed) string {
	for _, p := range passed {
		if p.Why == files.Template || p.Why == files.HelmTemplate {
			return p.Path
		}
	}
	found := ""
	for _, dir := range dirs {
		_ = fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil: // it was read before
				return fs.SkipDir
			case entry.IsDir() && name != "." && (!in.recursive || entry.Name() == ".git"):
				return fs.SkipDir
			case slices.Contains(templateExtensions, filepath.Ext(name)):
				found = filepath.Join(dir, name)
				return fs.SkipAll
			}
			return nil
		})
		if found != "" {
			break
		}
	}
	return found
}
