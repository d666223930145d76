package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/engine"
	"pillion.dev/pillion/internal/files"
	"pillion.dev/pillion/internal/kustomization"
)

// input is the flags that all verbs with a config have in common.
type input struct {
	configs       []string
	paths         []string
	recursive     bool
	kustomization string
	allowEmpty    bool
	limit
	messages
}

// addFlags adds the flags to a verb.
func (in *input) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	in.addConfigFlag(flags)
	flags.StringArrayVarP(&in.paths, "filename", "f", nil,
		"the `PATH` of a file or directory with manifests, a glob, or - for standard input; can be repeated")
	flags.BoolVarP(&in.recursive, "recursive", "R", false, "include subdirectories")
	flags.StringVarP(&in.kustomization, "kustomize", "k", "", "build the kustomization in this `DIR`, and use its manifests")
	in.messages.addFlags(cmd)
	flags.DurationVar(&in.timeout, "timeout", 0, "give up after this time, such as 30s; 0 means never")
}

func (in *input) addConfigFlag(flags *pflag.FlagSet) {
	flags.StringArrayVarP(&in.configs, "config", "c", nil,
		"the `PATH` of a file or directory with SidecarInjectors, SidecarSets or ConfigMaps; can be repeated")
}

var errNoConfig = errors.New("there is no config; name a file with -c (pillion init writes one to start with)")

// work is a config and the manifests to run it on.
type work struct {
	config    engine.Config
	said      []finding.Finding // about the config
	manifests []files.File
	sources   []engine.Source
}

// load reads the config and the manifests. If the config has errors, it returns them without the manifests.
func (in *input) load(ctx context.Context, cmd *cobra.Command, args []string) (*work, error) {
	if len(in.configs) == 0 {
		return nil, errNoConfig
	}
	if slices.Contains(in.configs, "-") && slices.Contains(slices.Concat(in.paths, args), "-") {
		return nil, errors.New("standard input (-) is named for both the config and the manifests; it can be only one of them")
	}
	configs, err := in.readConfigs(ctx, cmd)
	if err != nil {
		return nil, err
	}
	w := &work{}
	w.config, w.said = engine.ReadConfig(sourcesOf(configs)...)
	if finding.HasError(w.said) {
		return w, nil
	}
	w.manifests, err = in.readManifests(ctx, cmd, args, configs)
	w.sources = sourcesOf(w.manifests)
	for i := range w.sources {
		w.sources[i].MayBeEmpty = in.allowEmpty
	}
	if in.kustomization != "" && len(w.sources) > 0 {
		w.sources[0].File = "" // built manifests are in no file
	}
	return w, err
}

func (in *input) readConfigs(ctx context.Context, cmd *cobra.Command) ([]files.File, error) {
	reader := files.Reader{Recursive: in.recursive, Stdin: cmd.InOrStdin(), Take: takeConfig}
	found, err := reader.Read(ctx, in.configs)
	if err != nil {
		return nil, err
	}
	in.writePassed(cmd.ErrOrStderr(), "passed over for -c", found.Passed)
	if len(found.Files) == 0 {
		err = fmt.Errorf("there is no config in %s; Pillion reads SidecarInjectors, SidecarSets, and ConfigMaps with data.config",
			strings.Join(in.configs, ", "))
	}
	return found.Files, err
}

// takeConfig is the Take of a files.Reader for configs. It also takes files that may be a broken config, because sidecars
// would be missing without it.
func takeConfig(name string, text []byte) files.Why {
	holds, err := engine.HoldsConfig(text)
	if holds {
		return ""
	}
	switch why := files.Manifests(name, text); {
	case why == files.HelmTemplate || why == "" && err != nil:
		return why
	default:
		return files.NoConfig
	}
}

// readManifests reads the manifests that the flags and arguments name. A shell that expands "-f k8s/*.yaml" makes all files
// except the first arguments.
func (in *input) readManifests(ctx context.Context, cmd *cobra.Command, args []string, configs []files.File) ([]files.File, error) {
	paths := slices.Concat(in.paths, args)
	switch {
	case in.kustomization != "" && len(paths) > 0:
		return nil, fmt.Errorf("-k %s and -f %s are both set; use one of them", in.kustomization, paths[0])
	case in.kustomization != "":
		text, err := kustomization.Build(in.kustomization)
		if err == nil && len(text) == 0 && !in.allowEmpty {
			err = fmt.Errorf("the kustomization in %s builds nothing", in.kustomization)
		}
		return []files.File{{Path: in.kustomization, Text: text}}, err
	case len(paths) == 0 && (isTerminal(cmd.InOrStdin()) || slices.Contains(in.configs, "-")):
		return nil, errors.New("there are no manifests; name files with -f or a kustomization with -k, or pipe manifests in")
	case len(paths) == 0:
		paths = []string{"-"}
	}
	bar := in.progress(cmd.ErrOrStderr(), "read")
	defer bar.clear()
	reader := files.Reader{
		Recursive: in.recursive, Stdin: cmd.InOrStdin(), Take: files.Manifests, Except: pathsOf(configs), Progress: bar.show,
	}
	found, err := reader.Read(ctx, paths)
	if err != nil {
		return nil, err
	}
	bar.clear()
	in.writePassed(cmd.ErrOrStderr(), "passed over", found.Passed)
	if len(found.Files) == 0 && !in.allowEmpty {
		return nil, in.noObjectError(paths)
	}
	return found.Files, nil
}

func (in *input) noObjectError(paths []string) error {
	message := "there is no Kubernetes object in " + strings.Join(paths, ", ")
	if !in.recursive {
		message += "; -R includes subdirectories"
	}
	return errors.New(message)
}

func sourcesOf(all []files.File) []engine.Source {
	sources := make([]engine.Source, len(all))
	for i, file := range all {
		sources[i] = engine.Source{File: file.Path, Text: file.Text}
	}
	return sources
}

func pathsOf(all []files.File) map[string]bool {
	paths := make(map[string]bool, len(all))
	for _, file := range all {
		paths[files.RealPath(file.Path)] = true
	}
	return paths
}
