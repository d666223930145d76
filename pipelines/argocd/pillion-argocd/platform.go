package main

import (
	"context"
	"fmt"
	"os"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/edge/command"
	"pillion.dev/pillion/internal/edge/files"
)

const (
	// platformVariable names the file or directory with the injectors for every application.
	platformVariable = "PILLION_CONFIG"
	// repositoryVariable says whether repositories may add injectors.
	repositoryVariable = "PILLION_REPOSITORY_INJECTORS"
	allow              = "allow"
	deny               = "deny"
)

// configMap is where the injectors of the platform are, for messages.
const configMap = "the ConfigMap pillion-injectors"

// platform is what the platform team has decided for every application.
type platform struct {
	config string // the file or directory with its injectors, or "" if there are none
	isOnly bool   // whether repositories may not add injectors
}

// readPlatform reads the environment of the repo server, which owners of applications cannot set.
func readPlatform(env lookup) (platform, error) {
	p := platform{}
	switch setting, _ := env(repositoryVariable); setting {
	case "", allow:
	case deny:
		p.isOnly = true
	default:
		return p, fmt.Errorf("%s is %q; it can be %s or %s", repositoryVariable, setting, allow, deny)
	}
	p.config, _ = env(platformVariable)
	if p.config == "" {
		return p, nil
	}
	info, err := os.Stat(p.config)
	if err != nil {
		return p, fmt.Errorf("%s: %w", platformVariable, err)
	}
	// A ConfigMap that does not exist is mounted as an empty directory.
	if entries, _ := os.ReadDir(p.config); info.IsDir() && len(entries) == 0 {
		p.config = ""
	}
	return p, nil
}

// configsFor returns the configs for the application in a directory: the platform's, and then its own, or the nearest
// one above it. Both directories are real paths.
func (p platform) configsFor(dir, repository string) ([]string, error) {
	own, err := nearestConfig(dir, repository)
	if err != nil {
		return nil, err
	}
	if own == "" {
		return p.with(nil, false)
	}
	return p.with([]string{own}, false)
}

// with returns the configs for an application: the platform's, and then those of its repository, which must not change
// what the platform's do.
func (p platform) with(own []string, recursive bool) ([]string, error) {
	if len(own) > 0 && p.isOnly {
		return nil, fmt.Errorf("%s: repositories may not add injectors here (%s=%s); remove this file or parameter, "+
			"or ask the platform team to add its injectors to %s", own[0], repositoryVariable, deny, configMap)
	}
	if p.config == "" {
		return own, nil
	}
	if len(own) == 0 {
		return []string{p.config}, nil
	}
	platforms, err := readConfigs([]string{p.config}, recursive)
	if err != nil {
		return nil, err
	}
	if len(platforms) == 0 {
		return nil, fmt.Errorf("%s: there is no injector in %s, which is %s", platformVariable, p.config, configMap)
	}
	// Files run in the order in which they are named, and before those in directories.
	var configs, taken []string
	for _, file := range platforms {
		configs = append(configs, file.Path)
		taken = append(taken, injectorsIn(file).Names()...)
	}
	added, err := readConfigs(own, recursive)
	for _, file := range added {
		if err := checkAdded(file, taken); err != nil {
			return nil, err
		}
	}
	return append(configs, own...), err
}

// checkAdded refuses injectors of a repository that would take the place of the platform's, or change which objects
// those inject into.
func checkAdded(file files.File, taken []string) error {
	for _, in := range injectorsIn(file).Injectors() {
		if slices.Contains(taken, in.Name) {
			return fmt.Errorf("%s: the injector %q has the name of one in %s, which always run; "+
				"give it another name, or remove it", file.Path, in.Name, configMap)
		}
		if len(in.Spec.Workloads) > 0 {
			return fmt.Errorf("%s: the injector %q has spec.workloads, which would apply to the injectors in %s as well; "+
				"remove it, and ask the platform team to declare these kinds there", file.Path, in.Name, configMap)
		}
	}
	return nil
}

// readConfigs returns the configs in files and directories.
func readConfigs(paths []string, recursive bool) ([]files.File, error) {
	found, err := files.Reader{Recursive: recursive, Take: command.TakeConfig}.Read(context.Background(), paths)
	return found.Files, err
}

// injectorsIn returns the injectors in a file. There are none in one that is wrong, which the injection reports.
func injectorsIn(file files.File) engine.Config {
	config, _ := engine.ReadConfig(finding.Source{File: file.Path, Text: file.Text})
	return config
}
