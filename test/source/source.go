// Package source has the configs of the repository with manifests for them: examples, presets and the cases of the
// engine. It also finds the pods in manifests, and has the corpus of manifests in every layout.
package source

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"pillion.dev/pillion/internal/config/preset"
	"pillion.dev/pillion/test/example"
	"pillion.dev/pillion/test/resourcelist"
)

// Source is a config with the manifests that it is for, each a document.
type Source struct {
	Name, Config string
	Items        []string
}

// Examples returns the examples, except those of the presets.
func Examples(root string) ([]Source, error) {
	entries, err := os.ReadDir(filepath.Join(root, "examples"))
	if err != nil {
		return nil, err
	}
	var all []Source
	for _, entry := range entries {
		if !entry.IsDir() || entry.Name() == "presets" {
			continue
		}
		e, err := example.Load(filepath.Join(root, "examples", entry.Name()))
		if err != nil {
			return nil, err
		}
		all = append(all, Source{e.Name, e.FunctionConfig, e.Items})
	}
	return all, nil
}

// Presets returns the presets with the Deployment and the Job that they are tried on.
func Presets(root string) ([]Source, error) {
	var apps []string
	for _, name := range []string{"deployment", "job"} {
		text, err := os.ReadFile(filepath.Join(root, "examples", "presets", "app", name+".yaml"))
		if err != nil {
			return nil, err
		}
		apps = append(apps, resourcelist.Documents(string(text))...)
	}
	var all []Source
	for _, p := range preset.All {
		config, err := p.Injector("injector.yaml", p.Example())
		if err != nil {
			return nil, err
		}
		all = append(all, Source{p.Name, config, apps})
	}
	return all, nil
}

// Cases returns the cases of the engine. Some have configs or manifests with mistakes.
func Cases(root string) ([]Source, error) {
	files, err := filepath.Glob(filepath.Join(root, "internal", "core", "engine", "testdata", "*.txtar"))
	if err != nil {
		return nil, err
	}
	var all []Source
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			return nil, err
		}
		sections := map[string]string{}
		for _, f := range archive.Files {
			sections[f.Name] = string(f.Data)
		}
		all = append(all, Source{
			strings.TrimSuffix(filepath.Base(file), ".txtar"), sections["config"], resourcelist.Documents(sections["items"]),
		})
	}
	return all, errIfNone(all, "cases")
}

// Configs returns the configs that admission policies are tested with. They have no manifests.
func Configs(root string) ([]Source, error) {
	files, err := filepath.Glob(filepath.Join(root, "test", "admission", "testdata", "configs", "*.yaml"))
	if err != nil {
		return nil, err
	}
	var all []Source
	for _, file := range files {
		config, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		all = append(all, Source{Name: strings.TrimSuffix(filepath.Base(file), ".yaml"), Config: string(config)})
	}
	return all, errIfNone(all, "configs")
}

// Corpus returns the manifests in every layout, by the names of their files. Those that are items of a list are left
// out.
func Corpus(root string) (map[string]string, error) {
	files, err := filepath.Glob(filepath.Join(root, "internal", "text", "yaml", "splice", "testdata", "corpus", "*"))
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "item-") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		all[name] = string(text)
	}
	return all, errIfNone(all, "manifests")
}

func errIfNone[T []Source | map[string]string](all T, what string) error {
	if len(all) == 0 {
		return errors.New("there are no " + what)
	}
	return nil
}
