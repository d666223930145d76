package command

import (
	"github.com/spf13/cobra"

	"pillion.dev/pillion/internal/engine"
)

func newRemove() *cobra.Command {
	return newChange(engine.Config.Removing, &cobra.Command{
		Use:   "remove -c CONFIG [-f FILE|DIR|-]... [FILE|DIR|-]...",
		Short: "Remove the sidecars that inject added",
		Long: `Remove undoes what the injectors of a config did to manifests, even if their spec.action
is Inject or Verify. It prints the manifests, or writes them back to their files with
--in-place.

` + manifestsHelp,
		Example: `  # Print the manifests without the sidecars.
  pillion remove -c injector.yaml -f deployment.yaml

  # Change all manifests of a directory tree in place.
  pillion remove -c injectors/ -f k8s/ -R -i`,
	})
}
