package command

import (
	"github.com/spf13/cobra"

	"pillion.dev/pillion/api/v1alpha1"
)

func newSchema() *cobra.Command {
	format := choice{value: "json", from: []string{"json", "crd"}}
	cmd := &cobra.Command{
		Use:   "schema",
		Short: "Print the schema of the config",
		Long: `Schema prints the schema of SidecarInjectors: as a JSON schema, for editors that check files
while you type, or as a CustomResourceDefinition, for clusters that store them.`,
		Example: `  # For editors with the YAML language server, put this line at the top of injector.yaml:
  #   # yaml-language-server: $schema=pillion.schema.json
  pillion schema > pillion.schema.json

  # Install the kind in a cluster.
  pillion schema --format crd | kubectl apply -f -`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if format.value == "crd" {
				return writeOutput(cmd.OutOrStdout(), v1alpha1.CustomResourceDefinition())
			}
			return writeOutput(cmd.OutOrStdout(), v1alpha1.Schema())
		},
	}
	format.addFlag(cmd, "format", "", "`FORMAT` of the schema", "")
	return cmd
}
