// Package example reads a directory under examples/: a package that kustomize and kpt can run, and that Pillion can run
// by itself.
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

	"pillion.dev/pillion/test/resourcelist"
)

// ExpectedDir is the directory in an example that holds what running it must give.
const ExpectedDir = ".expected"

// Example is one directory under examples/, read.
type Example struct {
	Name string
	Dir  string
	Settings

	// FunctionConfig and Items are the documents as written, comments and all.
	FunctionConfig string
	Items          []string
}

// Settings say where an example differs from the usual layout. They stand in .expected/config.yaml.
type Settings struct {
	// Build is the directory that `kustomize build` is given, within the example; itself when empty.
	Build string `json:"build,omitempty"`
	// FunctionConfigFile is the file that holds the function config; injector.yaml when empty.
	FunctionConfigFile string `json:"functionConfig,omitempty"`
	// Exclude lists files that are no items of their own, such as patches.
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

// ResourceList is what an orchestrator would send to the function.
func (e *Example) ResourceList() string {
	return resourcelist.Wrap(e.Items, e.FunctionConfig)
}

// Expected is the path of a file that holds what running the example must give.
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
			if entry.Name() == ExpectedDir {
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
	if strings.HasPrefix(filepath.Base(file), "kustomization.") {
		return false
	}
	return file != filepath.ToSlash(e.FunctionConfigFile) && !slices.Contains(e.Exclude, file)
}
