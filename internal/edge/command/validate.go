package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/text/spelling"
)

func newValidate() *cobra.Command {
	in := &input{}
	cmd := &cobra.Command{
		Use:   "validate [-c CONFIG]...",
		Short: "Check configs without manifests",
		Long: `Validate reads configs and reports every problem in them, with file, line and column. It
exits with 1 if one of them is an error. Without -c, it checks the configs of the project
file (.pillion.yaml, here or above), and the file itself.`,
		Example: `  # Check injector.yaml, which is the default of -c.
  pillion validate

  # Check all configs of a directory tree.
  pillion validate -c injectors/ -R`,
		Args: noArguments,
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := in.openProject(cmd.Context(), cmd, nil); err != nil {
			return err
		}
		configs, err := in.readConfigs(cmd.Context(), cmd)
		if err != nil {
			return err
		}
		config, findings := engine.ReadConfig(newSources(configs)...)
		findings = append(findings, in.project.unknownInjectors(config.Names())...)
		err = in.writeFindings(cmd.ErrOrStderr(), findings)
		if err == nil && !in.quiet {
			fmt.Fprintln(cmd.ErrOrStderr(), spelling.Plural(len(config.Injectors()), "valid injector"))
		}
		return err
	}
	in.addConfigFlag(cmd.Flags())
	in.addProjectFlag(cmd)
	cmd.Flags().BoolVarP(&in.recursive, "recursive", "R", false, "include subdirectories")
	cmd.Flags().BoolVarP(&in.quiet, "quiet", "q", false, "print errors only")
	return cmd
}
