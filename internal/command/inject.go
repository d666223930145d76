package command

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/internal/engine"
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

// newChange completes a verb that changes manifests, and prints them or writes them back.
func newChange(adapt func(engine.Config) engine.Config, cmd *cobra.Command) *cobra.Command {
	in := &input{}
	out := output{format: choice{value: "yaml", from: []string{"yaml", "json", "name"}}}
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error { return out.check(cmd, in) }
	in.runs(cmd, func(ctx context.Context, cmd *cobra.Command, w *work) error {
		w.config = adapt(w.config)
		result, err := w.apply(ctx)
		if err != nil {
			return err
		}
		written := 0
		if !result.Run.Failed() {
			if out.inPlace {
				written, err = in.writeBack(ctx, w, result, in.progress(cmd.ErrOrStderr(), "written"))
			} else {
				err = out.print(cmd.OutOrStdout(), w, result)
			}
			if err != nil {
				return err
			}
		}
		if err := in.writeReport(cmd.ErrOrStderr(), result.Run); err != nil {
			return err
		}
		if result.Run.Failed() {
			return errFailed
		}
		if out.inPlace && !in.quiet {
			fmt.Fprintln(cmd.ErrOrStderr(), describeWritten(written))
		}
		return nil
	})
	out.addFlags(cmd)
	cmd.Flags().BoolVar(&in.allowEmpty, "allow-empty", false, "accept input without objects, as post-renderers must, instead of failing")
	return cmd
}

func describeWritten(count int) string {
	switch count {
	case 0:
		return "no file had to be written"
	case 1:
		return "1 file written"
	default:
		return fmt.Sprintf("%d files written", count)
	}
}
