package command

import (
	"github.com/spf13/cobra"

	"pillion.dev/pillion/internal/engine"
)

func newRemove() *cobra.Command {
	return newChange(engine.Config.Removing, &cobra.Command{
		Use:   "remove -c CONFIG [-f FILE|DIR|-]...",
		Short: "Take out of manifests what inject put in",
		Long: `Remove takes the sidecars that the injectors of a config have put into manifests out again,
whatever spec.action says, and prints the manifests, or writes them back with --in-place.`,
		Example: `  # Print the manifests without the sidecars.
  pillion remove -c injector.yaml -f deployment.yaml

  # Change a whole tree in place.
  pillion remove -c injectors/ -f k8s/ -R -i`,
	})
}
