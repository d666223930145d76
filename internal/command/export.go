package command

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/engine"
	"pillion.dev/pillion/internal/export"
	"pillion.dev/pillion/internal/report"
)

func newExport() *cobra.Command {
	var in input
	var to, output string
	var options export.Options
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Export injectors as patches for kustomize or Flux",
		Long: `Export turns injectors into patches, for pipelines that run no functions, such as Flux. If
you follow the comments in the exported file, the patches create the same pods as Pillion,
or stop the build. A field of an injector that patches cannot express is an error.`,
		Example: `  # Write a kustomize Component, for the components of an overlay.
  pillion export -c injector.yaml --to kustomize --output components/envoy

  # Print the spec.patches of a Flux Kustomization.
  pillion export -c injector.yaml --to flux`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			form, ok := exportForms[to]
			switch {
			case to == "":
				return errors.New("the flag --to is missing; use --to kustomize or --to flux")
			case !ok:
				return fmt.Errorf("--to is %q; use --to kustomize or --to flux", to)
			}
			configs, err := in.readConfigs(cmd.Context(), cmd)
			if err != nil {
				return err
			}
			config, findings := engine.ReadConfig(newSources(configs)...)
			exported, limits := export.New(config.Injectors(), options)
			findings = append(findings, limits...)
			if err := report.Text(cmd.ErrOrStderr(), findings, finding.Warning, finding.Finding.String); err != nil {
				return err
			}
			if finding.HasError(findings) {
				return errFailed
			}
			text, err := form.text(exported)
			if err != nil {
				return err
			}
			if output == "" {
				return writeOutput(cmd.OutOrStdout(), text)
			}
			return writeExport(output, form.file, text)
		},
	}
	in.addConfigFlag(cmd.Flags())
	cmd.Flags().StringVar(&to, "to", "", "`FORMAT` of the patches: kustomize for a Component, flux for a part of a Flux Kustomization")
	cmd.Flags().StringVar(&output, "output", "", "write to a file in `DIR` instead of standard output")
	cmd.Flags().BoolVar(&options.WithoutChecks, "without-checks", false, "export even if patches leave out some of Pillion's checks")
	return cmd
}

// exportForms are the values of --to, each with the name of the file to write.
var exportForms = map[string]struct {
	file string
	text func(export.Export) ([]byte, error)
}{
	"kustomize": {"kustomization.yaml", export.Export.Component},
	"flux":      {"flux-kustomization.yaml", export.Export.Flux},
}
