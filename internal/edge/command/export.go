package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/export/patch"
)

// exportForms is how to name a format.
const exportForms = "write pillion export kustomize, pillion export flux or pillion export admission, and the flags behind it"

func newExport() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export FORMAT",
		Short: "Export injectors as patches for kustomize or Flux, or as admission policies",
		Long: `Export turns injectors into what other programs run: patches for kustomize and Flux without
a plugin, or policies for the API server, which sees pods that are in no repository.
A field of an injector that the format cannot express is an error with the reason.`,
		Args:               cobra.ArbitraryArgs,                          // RunE refuses them
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true}, // they belong to a format
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("there is no format %q; %s", args[0], exportForms)
			}
			return errors.New("the format is missing; " + exportForms)
		},
	}
	cmd.AddCommand(newExportKustomize(), newExportFlux(), newExportAdmission())
	return cmd
}

func newExportKustomize() *cobra.Command {
	form := &exporter{export: exportPatches(patch.Patches.Component)}
	return form.addTo(&cobra.Command{
		Use:   "kustomize",
		Short: "Export injectors as a Component with patches",
		Long: `Export kustomize writes a Component with strategic merge patches. The comments at its
beginning say how to use it, and what patches do not do; pillion verify checks the result.`,
		Example: `  # Write a Component, for the components of an overlay.
  mkdir -p components/logs
  pillion export kustomize -c injector.yaml > components/logs/kustomization.yaml

  # Check what the overlay builds with it.
  kustomize build overlays/prod | pillion verify -c injector.yaml -f -`,
	})
}

func newExportFlux() *cobra.Command {
	form := &exporter{export: exportPatches(patch.Patches.Flux)}
	cmd := form.addTo(&cobra.Command{
		Use:   "flux",
		Short: "Export injectors as the patches of a Flux Kustomization",
		Long: `Export flux prints spec.patches of a Flux Kustomization. The comments at the beginning say
how to use them, and what patches do not do; pillion verify checks the result.`,
		Example: `  # Print the patches.
  pillion export flux -c injector.yaml`,
	})
	form.addReleaseFlags(cmd)
	return cmd
}

// exportFunc returns injectors, which were read from files, in a format.
type exportFunc func([]*injector.Injector, []files.File) ([]byte, []finding.Finding)

// exporter is the command of a format.
type exporter struct {
	export exportFunc
	in     input
}

func exportPatches(write func(patch.Patches) []byte) exportFunc {
	return func(injectors []*injector.Injector, _ []files.File) ([]byte, []finding.Finding) {
		patches, findings := patch.New(injectors)
		if len(findings) > 0 {
			return nil, findings
		}
		return write(patches), nil
	}
}

// addTo makes a command of the format.
func (e *exporter) addTo(cmd *cobra.Command) *cobra.Command {
	cmd.Args = noArguments
	e.in.addConfigFlag(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return e.run(cmd.Context(), cmd) }
	return cmd
}

func (e *exporter) run(ctx context.Context, cmd *cobra.Command) error {
	configs, err := e.in.readConfigs(ctx, cmd)
	if err != nil {
		return err
	}
	config, findings := engine.ReadConfig(newSources(configs)...)
	text, refused := e.export(config.Injectors(), configs)
	if err := e.in.writeFindings(cmd.ErrOrStderr(), append(findings, refused...)); err != nil {
		return err
	}
	return writeOutput(cmd.OutOrStdout(), text)
}
