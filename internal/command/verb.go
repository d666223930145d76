package command

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/engine"
	"pillion.dev/pillion/internal/files"
)

// work is a config, the manifests that it ran on, and the result.
type work struct {
	config    engine.Config
	manifests []files.File
	engine.Result
}

// runs completes a command that runs the config of its flags on the manifests of its flags and arguments. adapt changes the
// config before the run, and show prints or writes the result.
func (in *input) runs(
	cmd *cobra.Command, adapt func(engine.Config) engine.Config, show func(context.Context, *cobra.Command, *work) error,
) *cobra.Command {
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return in.limit.run(cmd.Context(), func(ctx context.Context) error {
			w, err := in.apply(ctx, cmd, args, adapt)
			if err != nil {
				return err
			}
			return show(ctx, cmd, w)
		})
	}
	in.addFlags(cmd)
	return cmd
}

// apply reads the config and the manifests, and runs the config. If the config has errors, it returns them without reading the
// manifests.
func (in *input) apply(
	ctx context.Context, cmd *cobra.Command, args []string, adapt func(engine.Config) engine.Config,
) (*work, error) {
	if slices.Contains(in.configs, "-") && slices.Contains(slices.Concat(in.paths, args), "-") {
		return nil, errors.New("standard input (-) is named for both the config and the manifests; it can be only one of them")
	}
	configs, err := in.readConfigs(ctx, cmd)
	if err != nil {
		return nil, err
	}
	config, findings := engine.ReadConfig(newSources(configs)...)
	w := &work{config: adapt(config)}
	if !finding.HasError(findings) {
		if w.manifests, err = in.readManifests(ctx, cmd, args, configs); err != nil {
			return nil, err
		}
		w.Result, err = engine.Apply(ctx, w.config, in.sources(w.manifests)...)
	}
	w.Run.Config = findings
	return w, err
}
