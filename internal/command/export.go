package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/engine"
	"pillion.dev/pillion/internal/export"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/report"
)

func newExport() *cobra.Command {
	var in input
	var to, output string
	var options export.Options
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Say an injector in kustomize's or Flux's own terms",
		Long: `Export says what injectors do as patches with targets, for pipelines that run no
functions, such as Flux. In a kustomization with nothing beside them, as the exported file
shows it, the patches give the pods that Pillion gives, or stop the build. What patches
cannot say is an error that names the field.`,
		Example: `  # A kustomize Component, for the components of an overlay
  pillion export -c injector.yaml --to kustomize --output components/envoy

  # The spec.patches of a Flux Kustomization
  pillion export -c injector.yaml --to flux`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			form, ok := exportForms[to]
			if !ok {
				return fmt.Errorf("--to is %q; write --to kustomize or --to flux", to)
			}
			injectors, err := in.injectors(cmd)
			if err != nil {
				return err
			}
			made, found := export.New(injectors, options)
			if len(found) > 0 {
				if err := report.Text(cmd.ErrOrStderr(), found, finding.Error, report.Line); err != nil {
					return err
				}
				return errFailed
			}
			text, err := form.text(made)
			if err != nil {
				return err
			}
			if output == "" {
				_, err = cmd.OutOrStdout().Write(text)
				return err
			}
			return writeExport(output, form.file, text)
		},
	}
	in.addConfigFlag(cmd.Flags())
	cmd.Flags().StringVar(&to, "to", "", "kustomize for a Component, flux for the patches of a Flux Kustomization")
	cmd.Flags().StringVar(&output, "output", "", "the directory to write into, instead of standard output")
	cmd.Flags().BoolVar(&options.WithoutChecks, "without-checks", false, "export although patches do not look for what Pillion would refuse")
	return cmd
}

// exportForms are the forms of an export, and the file that each goes to.
var exportForms = map[string]struct {
	file string
	text func(export.Export) ([]byte, error)
}{
	"kustomize": {"kustomization.yaml", export.Export.Component},
	"flux":      {"flux-kustomization.yaml", export.Export.Flux},
}

// injectors are those of the config, where there is nothing wrong with it.
func (in *input) injectors(cmd *cobra.Command) ([]*injector.Injector, error) {
	if len(in.configs) == 0 {
		return nil, errNoConfig
	}
	configs, err := in.readConfigs(cmd.Context(), cmd)
	if err != nil {
		return nil, err
	}
	config, said := engine.ReadConfig(sourcesOf(configs)...)
	if err := report.Text(cmd.ErrOrStderr(), said, finding.Warning, report.Line); err != nil {
		return nil, err
	}
	if finding.HasError(said) {
		return nil, errFailed
	}
	return config.Injectors(), nil
}
