package command

import (
	"github.com/spf13/cobra"

	"pillion.dev/pillion/internal/core/engine"
)

func newInject() *cobra.Command {
	in := &input{changes: true}
	return newChange(in, func(c engine.Config) engine.Config { return c }, &cobra.Command{
		Use:   "inject [-c CONFIG] [-f FILE|DIR|-]... [FILE|DIR|-]...",
		Short: "Inject sidecars into the pods of manifests",
		Long: `Inject adds the sidecars of a config to the pods that the config selects. It prints the
manifests, or writes them back to their files with --in-place.

` + manifestsHelp + `

Only the lines of the sidecar are added: comments, order and quotes stay as they are. If
anything is refused, nothing is printed and no file is written. With --keep-going, what is
refused is left unchanged, everything else is written, and the exit code is 1.`,
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
