// Package example reads the directories under examples/. Each is a package that kustomize, kpt and Pillion itself can
// run.
package example

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/internal/testcase"
	"pillion.dev/pillion/test/resourcelist"
)

// ExpectedDir is the directory in an example with what kustomize, kpt and the function make of it. What pillion test
// expects is beside the manifests.
const ExpectedDir = ".expected"

// Example is a directory under examples/.
type Example struct {
	Name string
	Dir  string
	Settings

	// FunctionConfig and Items are the documents as they are written, including comments.
	FunctionConfig string
	Items          []string
}

// Settings are the differences of an example from the usual layout, in .expected/config.yaml.
type Settings struct {
	// Build is the directory for `kustomize build`, relative to the example; the example itself if empty.
	Build string `json:"build,omitempty"`
	// FunctionConfigFile is the file with the function config; injector.yaml if empty.
	FunctionConfigFile string `json:"functionConfig,omitempty"`
	// Exclude lists files that are not items, such as patches.
	Exclude []string `json:"exclude,omitempty"`
}

// Load reads the example in dir.
func Load(dir string) (*Example, error) {
	e := &Example{Name: filepath.Base(dir), Dir: dir}
	if err := e.readSettings(); err != nil {
		return nil, err
	}
	config, err := os.ReadFile(filepath.Join(dir, e.FunctionConfigFile))
	if err != nil {
		return nil, err
	}
	configs := resourcelist.Documents(string(config))
	if len(configs) != 1 {
		return nil, fmt.Errorf("%s: %d documents in %s, want one function config", dir, len(configs), e.FunctionConfigFile)
	}
	e.FunctionConfig = configs[0]
	if err := e.readItems(); err != nil {
		return nil, err
	}
	return e, nil
}

// ResourceList returns the input that kustomize or kpt would send to the function.
func (e *Example) ResourceList() string {
	return resourcelist.Wrap(e.Items, e.FunctionConfig)
}

// Expected returns the path of a file with an expected result.
func (e *Example) Expected(name string) string {
	return filepath.Join(e.Dir, ExpectedDir, name)
}

func (e *Example) readSettings() error {
	e.Settings = Settings{Build: ".", FunctionConfigFile: "injector.yaml"}
	text, err := os.ReadFile(e.Expected("config.yaml"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := yaml.UnmarshalStrict(text, &e.Settings); err != nil {
		return fmt.Errorf("%s: %w", e.Expected("config.yaml"), err)
	}
	return nil
}

func (e *Example) readItems() error {
	return filepath.WalkDir(e.Dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(e.Dir, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if entry.Name() == ExpectedDir || entry.Name() == testcase.TextsDir {
				return filepath.SkipDir
			}
			return nil
		}
		if !e.holdsItems(filepath.ToSlash(name)) {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		e.Items = append(e.Items, resourcelist.Documents(string(text))...)
		return nil
	})
}

func (e *Example) holdsItems(file string) bool {
	extension := filepath.Ext(file)
	if extension != ".yaml" && extension != ".yml" {
		return false
	}
	if strings.HasPrefix(filepath.Base(file), "kustomization.") || file == testcase.ListFile {
		return false
	}
	return file != filepath.ToSlash(e.FunctionConfigFile) && !slices.Contains(e.Exclude, file)
}
