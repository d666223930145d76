package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/testcase"
)

// testDir is a directory with a test.
type testDir struct {
	path    string
	nested  []string     // directories below it with tests of their own
	project []files.File // the configs of the project, for a test that has none
}

// ownFiles are the names by which a directory is a test. All other files in it are manifests.
var ownFiles = []string{defaultConfig, testcase.TextsDir, testcase.ListFile}

// findTests finds the tests in directories, in the order of their paths.
func (f *testFlags) findTests(ctx context.Context, cmd *cobra.Command, dirs []string) ([]testDir, error) {
	if len(dirs) == 0 || slices.Contains(dirs, "") { // of a variable, as a rule
		return nil, errors.New("the directory to test is missing, or its name is empty; use: pillion test DIR")
	}
	paths, err := searchTests(dirs)
	if err != nil {
		return nil, err
	}
	nested := nestedIn(paths)
	if len(paths) == 0 {
		return nil, fmt.Errorf("there is no test in %s; a test is a directory with %s",
			strings.Join(dirs, ", "), strings.Join(ownFiles, " or "))
	}
	project, err := f.projectConfigs(ctx, cmd, paths)
	tests := make([]testDir, len(paths))
	for i, dir := range paths {
		tests[i] = testDir{dir, nested[dir], project}
	}
	return tests, err
}

// searchTests returns the directories with tests, sorted. It follows no links, and leaves out directories whose names
// begin with a dot.
func searchTests(dirs []string) ([]string, error) {
	var found []string
	for _, dir := range dirs {
		err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
			if err != nil {
				return fmt.Errorf("%s cannot be searched for tests: %w; name a directory", dir, err)
			}
			isOwn := slices.Contains(ownFiles, entry.Name())
			if isOwn {
				found = append(found, filepath.Join(dir, path.Dir(name)))
			}
			if entry.IsDir() && (isOwn || name != "." && strings.HasPrefix(entry.Name(), ".")) {
				return fs.SkipDir
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// nestedIn returns for each of the sorted directories which of the others are below it, and below no other one there.
func nestedIn(dirs []string) map[string][]string {
	nested := map[string][]string{}
	for _, dir := range dirs {
		for above := dir; above != filepath.Dir(above); {
			above = filepath.Dir(above)
			if _, isTest := slices.BinarySearch(dirs, above); isTest {
				nested[above] = append(nested[above], dir)
				break
			}
		}
	}
	return nested
}

// projectConfigs returns the configs of -c or of the project file, if one of the tests has none of its own.
func (in *input) projectConfigs(ctx context.Context, cmd *cobra.Command, dirs []string) ([]files.File, error) {
	hasNone := func(dir string) bool { return !exists(filepath.Join(dir, defaultConfig)) }
	if !slices.ContainsFunc(dirs, hasNone) {
		return nil, nil
	}
	if err := in.openProject(ctx, cmd, nil); err != nil {
		return nil, err
	}
	return in.readConfigs(ctx, cmd)
}

// read reads the files of a test. It also returns which it has passed over.
func (t testDir) read(ctx context.Context) (*testcase.Case, []files.Passed, error) {
	parts, err := t.readOwn(ctx)
	if err != nil {
		return nil, nil, err
	}
	reader := files.Reader{Recursive: true, Complete: true, Take: files.Manifests, Exclude: slices.Clip(t.nested)}
	for _, name := range ownFiles {
		if own := filepath.Join(t.path, name); exists(own) {
			reader.Exclude = append(reader.Exclude, own)
		}
	}
	found, err := reader.Read(ctx, []string{t.path})
	test := &testcase.Case{
		Dir:       t.path,
		Configs:   newSources(t.project),
		Manifests: newSources(found.Files),
		Generated: found.Generated,
		Texts:     map[string]finding.Source{},
	}
	for _, source := range newSources(parts) {
		switch source.File {
		case filepath.Join(t.path, defaultConfig):
			test.Configs = []finding.Source{source}
		case filepath.Join(t.path, testcase.ListFile):
			test.List = &source
		default:
			name, _ := filepath.Rel(filepath.Join(t.path, testcase.TextsDir), source.File) // it is below
			test.Texts[filepath.Join(t.path, name)] = source
		}
	}
	isOurs := func(p files.Passed) bool { return p.Why == files.Excluded }
	return test, slices.DeleteFunc(found.Passed, isOurs), err
}

// readOwn reads the files that make a directory a test. It follows no link, which may lead to a file of somebody else.
func (t testDir) readOwn(ctx context.Context) ([]files.File, error) {
	var paths []string
	for _, name := range ownFiles {
		root := filepath.Join(t.path, name)
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case path == root && errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil || entry.IsDir():
				return err
			case !entry.Type().IsRegular():
				return fmt.Errorf("%s is a link or a special file, and not read as a part of a test; "+
					"write a file there", path)
			}
			paths = append(paths, path)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	found, err := files.Reader{}.Read(ctx, paths)
	return found.Files, err
}
