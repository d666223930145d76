package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/text/spelling"
)

// manifestsHelp is the paragraph about manifests in the help of these verbs.
const manifestsHelp = `Manifests are the files and directories of -f, or arguments, which mean the same. Without
either, and without -c and -k, a project file (.pillion.yaml, here or above) says what to run
on; see docs/how-to/project-file.md. Standard input is read if - names it, as in -f -, or,
unless it is a terminal or the config (-c -), if a command that writes to standard output
(inject and remove without -i) gets neither -f, -k nor a project; otherwise it is never
touched.`

// input holds the flags that the verbs with a config have in common.
type input struct {
	changes bool // whether the command changes manifests
	removes bool // whether it only takes out what was injected
	audits  bool // whether it looks at a cluster, and needs no manifests

	configs        []string
	injectors      []string // that are removed by their names, without a config
	paths          []string
	recursive      bool
	exclude        []string
	kustomizations []string
	restrictor     choice
	allowEmpty     bool
	inPlace        bool
	projectPath    string
	project        project
	chosen
	messages
}

// addFlags adds the flags to a verb.
func (in *input) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	in.addPathFlags(flags, "manifests")
	flags.StringArrayVar(&in.exclude, "exclude", nil,
		"`PATH` of a file or directory, or a glob, that is not read and may have workloads without sidecars; "+
			"can be repeated")
	flags.StringArrayVarP(&in.kustomizations, "kustomize", "k", nil, "build the kustomization in `DIR` and use its "+
		"manifests; diff, explain and verify can repeat it, and with -R build each one below that no other uses")
	in.restrictor = choice{value: rootOnly, from: []string{rootOnly, noRestrictions}}
	in.restrictor.addFlag(cmd, "load-restrictor", "", "which files a kustomization may use, as in kustomize build", "")
	in.chosen.addFlags(cmd)
	in.addProjectFlag(cmd)
	flags.BoolVar(&in.allowEmpty, "allow-empty", false, "accept input without objects, as post-renderers must, "+
		"instead of failing")
	in.messages.addFlags(cmd)
}

// addPathFlags adds the flags for where the config and the objects are.
func (in *input) addPathFlags(flags *pflag.FlagSet, objects string) {
	flags.SortFlags = false
	in.addConfigFlag(flags)
	flags.StringArrayVarP(&in.paths, "filename", "f", nil,
		"`PATH` of a file or directory with "+objects+", a glob, or - for standard input; can be repeated")
	flags.BoolVarP(&in.recursive, "recursive", "R", false, "include subdirectories")
}

func (in *input) addConfigFlag(flags *pflag.FlagSet) {
	flags.StringArrayVarP(&in.configs, "config", "c", nil,
		"`PATH` of a file or directory with SidecarInjectors, SidecarSets or ConfigMaps, or - for standard input; "+
			"can be repeated "+
			"(default: "+defaultConfig+" in the current directory)")
}

// defaultConfig is what init writes.
const defaultConfig = "injector.yaml"

// readConfigs reads the files that --config names.
func (in *input) readConfigs(ctx context.Context, cmd *cobra.Command) ([]files.File, error) {
	if len(in.configs) == 0 && len(in.injectors) > 0 {
		return nil, nil
	}
	if len(in.configs) == 0 {
		info, err := os.Lstat(defaultConfig)
		if err == nil && !info.Mode().IsRegular() { // which may lead to a file of somebody else
			return nil, fmt.Errorf("%s is a link or no regular file, and not taken for the config by itself; "+
				"name a file with -c", defaultConfig)
		}
		if err != nil {
			remedy := "name a file with -c (pillion init writes one to start with)"
			if in.removes {
				remedy = "name a file with -c, or the injector with --injector"
			}
			if found, _ := findProject(files.RealPath(".")); found != "" && cmd.Flags().Lookup("project") != nil {
				remedy += ", or use that of the project with --project " + shellQuoted(found)
			}
			return nil, fmt.Errorf("there is no config: no %s is here; %s", defaultConfig, remedy)
		}
		in.configs = []string{defaultConfig}
		if !in.quiet {
			fmt.Fprintln(cmd.ErrOrStderr(), "config: "+defaultConfig)
		}
	}
	reader := files.Reader{Recursive: in.recursive, Stdin: cmd.InOrStdin(), Take: TakeConfig}
	found, err := reader.Read(ctx, in.configs)
	if err != nil {
		return nil, fmt.Errorf("-c: %w", err)
	}
	in.writePassed(cmd.ErrOrStderr(), "passed over for -c", found.Passed)
	if len(found.Files) == 0 {
		err = fmt.Errorf("there is no config in %s; "+
			"name a file with a SidecarInjector, a SidecarSet, or a ConfigMap with data.config with -c",
			strings.Join(in.configs, ", "))
	}
	return found.Files, err
}

// TakeConfig is the Take of a files.Reader for configs. It also takes a file that may be a broken config, because
// passing over it could miss sidecars.
func TakeConfig(name string, text []byte) files.Why {
	holds, err := engine.HoldsConfig(text)
	if holds {
		return ""
	}
	if why := files.Manifests(name, text); why == files.Template || why == "" && err != nil {
		return why
	}
	return files.NoConfig
}

// readManifests reads the manifests that the flags and arguments name. A shell that expands "-f k8s/*.yaml" makes all
// files except the first arguments.
func (in *input) readManifests(
	ctx context.Context, cmd *cobra.Command, args []string, configs []files.File,
) (files.Found, error) {
	paths := slices.Concat(in.paths, args)
	if len(paths) == 0 {
		isConfig := slices.Contains(in.configs, "-")
		isPipe := in.changes && !in.inPlace && !isTerminal(cmd.InOrStdin())
		switch {
		case isConfig:
			return files.Found{}, errors.New("there are no manifests; name files with -f or a kustomization with -k")
		case !isPipe:
			return files.Found{}, errors.New("there are no manifests; name files with -f or a kustomization with -k, " +
				"or read standard input with -f -")
		}
		paths = []string{"-"}
	}
	reader := files.Reader{Complete: true, Exclude: in.excluded(), Except: realPaths(configs)}
	if in.project.path != "" {
		reader.Except[files.RealPath(in.project.path)] = true
	}
	found, err := in.readFiles(ctx, cmd, reader, paths)
	if err == nil && len(found.Files) == 0 && !in.allowEmpty {
		err = nothingFound(cmd, paths, configs, found)
	}
	return found, err
}

// readFiles reads objects with a reader, as the flags say, and writes which files it has passed over.
func (in *input) readFiles(
	ctx context.Context, cmd *cobra.Command, reader files.Reader, paths []string,
) (files.Found, error) {
	reader.Recursive = in.recursive
	reader.Stdin = cmd.InOrStdin()
	reader.Take = files.Manifests
	found, err := reader.Read(ctx, paths)
	if err != nil {
		return files.Found{}, fmt.Errorf("-f: %w", err)
	}
	in.writePassed(cmd.ErrOrStderr(), "passed over", found.Passed)
	return found, nil
}

func realPaths(of []files.File) map[string]bool {
	paths := map[string]bool{}
	for _, file := range of {
		paths[files.RealPath(file.Path)] = true
	}
	return paths
}

// nothingFound returns the error for paths that hold no manifests, with the cause.
func nothingFound(cmd *cobra.Command, paths []string, configs []files.File, found files.Found) error {
	isConfig := realPaths(configs)
	isOther := func(path string) bool { return !isConfig[files.RealPath(path)] }
	if !slices.ContainsFunc(paths, isOther) {
		return fmt.Errorf("%s is the config (-c), so it is not read as a manifest; "+
			"name the manifests with -f", paths[0])
	}
	counts := map[files.Why]int{}
	templates := found.Templates
	for _, p := range found.Passed {
		counts[p.Why]++
		if p.Why == files.Template || p.Why == files.HelmTemplate {
			templates = append(templates, p.Path)
		}
	}
	seen := ""
	if len(templates) > 0 {
		seen = ", but templates such as " + templates[0]
	}
	remedy := "name other files with -f, or accept that with --allow-empty"
	orRecursive := ""
	switch ignored := counts[files.Ignored]; {
	case counts[files.NotEntered] > 0:
		words := append([]string{cmd.CommandPath()}, sharedFlags(cmd, chosen{})...)
		command := strings.Join(append(words, "-R"), " ")
		remedy = "subdirectories are only read with -R: " + command
		orRecursive = ", or read the subdirectories with -R: " + command
	case ignored > 0:
		remedy = fmt.Sprintf("ignore files, such as .gitignore, leave out %s; name what is meant with -f",
			spelling.Plural(ignored, "path"))
	case len(templates) > 0:
		remedy = "render them first, and name the result with -f, or pipe it in: ... | pillion ... -f -"
	}
	for _, path := range paths {
		if exists(filepath.Join(path, "Chart.yaml")) {
			return fmt.Errorf("%s is a Helm chart; render it first: helm template %[1]s | pillion ... -f -", path)
		}
		if exists(firstExisting(path, files.Kustomizations())) {
			return fmt.Errorf("there is no Kubernetes object in %s except its kustomization; "+
				"build that with -k %[1]s instead of -f%s", path, orRecursive)
		}
	}
	return fmt.Errorf("there is no Kubernetes object in %s%s; %s", strings.Join(paths, ", "), seen, remedy)
}

func newSources(all []files.File) []finding.Source {
	sources := make([]finding.Source, len(all))
	for i, file := range all {
		sources[i] = finding.Source{File: file.Path, Text: file.Text}
	}
	return sources
}
