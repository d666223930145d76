package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/internal/edge/version"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, and the commit it was built from",
		Long: `Print the version, the commit it was built from, the date of that commit and the version of Go, on one line.
The line begins with the version.`,
		Example: `  pillion version`,
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return printVersion(cmd) },
	}
}

func printVersion(cmd *cobra.Command) error {
	_, err := fmt.Fprintln(cmd.OutOrStdout(), version.Current())
	return err
}
