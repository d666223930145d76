package command

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/internal/edge/version"
)

func newVersion() *cobra.Command {
	format := choice{value: "text", from: []string{"text", "json"}}
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version, and the commit it was built from",
		Long: `Print the version, the commit it was built from, the date of that commit and the version of Go, on one line.
The line begins with the version.`,
		Example: `  pillion version
  pillion version -o json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return printVersion(cmd, format.value) },
	}
	format.addFlag(cmd, "output", "o", "output `FORMAT`", "")
	return cmd
}

func printVersion(cmd *cobra.Command, format string) error {
	build := version.Current()
	if format != "json" {
		_, err := fmt.Fprintln(cmd.OutOrStdout(), build)
		return err
	}
	text, err := json.MarshalIndent(build, "", "  ")
	if err != nil {
		return err
	}
	return writeOutput(cmd.OutOrStdout(), append(text, '\n'))
}
