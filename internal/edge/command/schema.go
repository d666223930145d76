package command

import (
	"errors"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/api/v1alpha1"
)

func newSchema() *cobra.Command {
	format := choice{value: "json", from: []string{"json", "crd"}}
	kind := choice{value: "injector", from: []string{"injector", "project"}}
	cmd := &cobra.Command{
		Use:   "schema",
		Short: "Print the schema of the config",
		Long: `Schema prints the schema of SidecarInjectors: as a JSON schema, for editors that check files
while you type, or as a CustomResourceDefinition, for clusters that store them. With --kind
project, it prints the JSON schema of .pillion.yaml.`,
		Example: `  # For editors with the YAML language server, put this line at the top of injector.yaml:
  #   # yaml-language-server: $schema=pillion.schema.json
  pillion schema > pillion.schema.json

  # Install the kind in a cluster.
  pillion schema --format crd | kubectl apply -f -`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case format.value == "crd" && kind.value == "project":
				return errors.New("a project file is in no cluster, so it has no CustomResourceDefinition; remove --format crd")
			case kind.value == "project":
				return writeOutput(cmd.OutOrStdout(), v1alpha1.ProjectSchema())
			case format.value == "crd":
				return writeOutput(cmd.OutOrStdout(), v1alpha1.CustomResourceDefinition())
			}
			return writeOutput(cmd.OutOrStdout(), v1alpha1.Schema())
		},
	}
	kind.addFlag(cmd, "kind", "", "`KIND` of file", "")
	format.addFlag(cmd, "format", "", "`FORMAT` of the schema", "")
	return cmd
}
