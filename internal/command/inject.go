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
		Short: "Put sidecars into the pods of manifests",
		Long: `Inject puts the sidecars that a config declares into the pods that it selects, and prints
the manifests, or writes them back into their files with --in-place.

Only the lines of the sidecar are added: comments, order and quotes stay. Where anything is
refused, nothing is printed and nothing is written.`,
		Example: `  # Print what comes out.
  pillion inject -c injector.yaml -f deployment.yaml

  # Change a whole tree in place.
  pillion inject -c injectors/ -f k8s/ -R -i

  # What Helm renders.
  helm template shop ./chart | pillion inject -c injector.yaml | kubectl apply -f -

  # What a kustomization builds.
  pillion inject -c injector.yaml -k overlays/prod`,
	})
}

// newChange is a verb that changes manifests: it prints them or writes them back.
func newChange(of func(engine.Config) engine.Config, cmd *cobra.Command) *cobra.Command {
	in := &input{}
	out := output{format: choice{value: "yaml", from: []string{"yaml", "json", "name"}}}
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error { return out.check(cmd, in) }
	in.runs(cmd, func(ctx context.Context, cmd *cobra.Command, w *work) error {
		w.config = of(w.config)
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
		if err := in.say(cmd.ErrOrStderr(), result.Run); err != nil {
			return err
		}
		if result.Run.Failed() {
			return errFailed
		}
		if out.inPlace && !in.quiet {
			fmt.Fprintln(cmd.ErrOrStderr(), wrote(written))
		}
		return nil
	})
	out.addFlags(cmd)
	cmd.Flags().BoolVar(&in.allowEmpty, "allow-empty", false, "take input without any object as it is, as post-renderers have to; otherwise it is an error")
	return cmd
}

func wrote(count int) string {
	switch count {
	case 0:
		return "no file had to be written"
	case 1:
		return "1 file written"
	default:
		return fmt.Sprintf("%d files written", count)
	}
}
