package command

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/internal/engine"
	"pillion.dev/pillion/internal/outcome"
)

func newInject() *cobra.Command {
	return newChange(func(c engine.Config) engine.Config { return c }, &cobra.Command{
		Use:   "inject -c CONFIG [-f FILE|DIR|-]...",
		Short: "Inject sidecars into the pods of manifests",
		Long: `Inject adds the sidecars of a config to the pods that the config selects. It prints the
manifests, or writes them back to their files with --in-place.

Only the lines of the sidecar are added: comments, order and quotes stay as they are. If
anything is refused, nothing is printed and no file is written.`,
		Example: `  # Print the manifests with their sidecars.
  pillion inject -c injector.yaml -f deployment.yaml

  # Change all manifests of a directory tree in place.
  pillion inject -c injectors/ -f k8s/ -R -i

  # Inject into the output of Helm.
  helm template shop ./chart | pillion inject -c injector.yaml | kubectl apply -f -

  # Inject into the output of a kustomization.
  pillion inject -c injector.yaml -k overlays/prod`,
	})
}

// newChange completes a verb that changes manifests, and prints them or writes them back to their files.
func newChange(adapt func(engine.Config) engine.Config, cmd *cobra.Command) *cobra.Command {
	in := &input{}
	out := output{format: choice{value: "yaml", from: []string{"yaml", "json", "name"}}}
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error { return out.check(cmd, in) }
	in.runs(cmd, adapt, func(ctx context.Context, cmd *cobra.Command, w *work) error {
		var err error
		written := 0
		switch {
		case w.Run.Failed():
		case out.inPlace:
			written, err = in.writeBack(ctx, w, in.progress(cmd.ErrOrStderr(), "written"))
		default:
			err = out.print(cmd.OutOrStdout(), w)
		}
		if err == nil {
			err = in.finish(cmd.ErrOrStderr(), w.Run)
		}
		if err == nil && out.inPlace && !in.quiet {
			fmt.Fprintln(cmd.ErrOrStderr(), outcome.Plural(written, "file"), "written")
		}
		return err
	})
	out.addFlags(cmd)
	cmd.Flags().BoolVar(&in.allowEmpty, "allow-empty", false, "accept input without objects, as post-renderers must, instead of failing")
	return cmd
}
