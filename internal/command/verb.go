package command

import (
	"context"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/engine"
	"pillion.dev/pillion/internal/outcome"
)

// runner runs a verb on a config and manifests.
type runner func(ctx context.Context, cmd *cobra.Command, w *work) error

// runs completes a command that runs on the config and the manifests of its flags and arguments.
func (in *input) runs(cmd *cobra.Command, run runner) *cobra.Command {
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return in.run(cmd.Context(), func(ctx context.Context) error {
			w, err := in.load(ctx, cmd, args)
			if err != nil {
				return err
			}
			return run(ctx, cmd, w)
		})
	}
	in.addFlags(cmd)
	return cmd
}

// apply runs the config. The result includes the findings about the config itself.
func (w *work) apply(ctx context.Context) (engine.Result, error) {
	if finding.HasError(w.said) {
		return engine.Result{Run: outcome.Run{Config: w.said}}, nil
	}
	result, err := engine.Apply(ctx, w.config, w.sources...)
	result.Run.Config = w.said
	return result, err
}
