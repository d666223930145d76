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
	policies := newPolicyFlags()
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Export injectors as patches for kustomize or Flux, or as admission policies",
		Long: `Export turns injectors into patches, for pipelines that run no functions, such as Flux. If
you follow the comments in the exported file, the patches create the same pods as Pillion,
or stop the build. A field of an injector that patches cannot express is an error.

With --to admission, it turns injectors into policies that the API server runs itself, for
pods that are in no repository: one that injects into pods when they are created, and one
that refuses pods without what is declared. A field that policies cannot express is an error.`,
		Example: `  # Write a kustomize Component, for the components of an overlay.
  pillion export -c injector.yaml --to kustomize --output components/envoy

  # Print the spec.patches of a Flux Kustomization.
  pillion export -c injector.yaml --to flux

  # Warn of pods without the sidecar, before any pod is changed.
  pillion export -c injector.yaml --to admission --only validate --actions Warn,Audit | kubectl apply -f -

  # Inject into pods when they are created, and refuse those without the sidecar.
  pillion export -c injector.yaml --to admission | kubectl apply -f -`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			form, err := findForm(cmd, to)
			if err != nil {
				return err
			}
			configs, err := in.readConfigs(cmd.Context(), cmd)
			if err != nil {
				return err
			}
			config, findings := engine.ReadConfig(newSources(configs)...)
			var text []byte
			var limits []finding.Finding
			if form.text == nil {
				text, limits = policies.export(config.Injectors(), configs)
			} else {
				var exported export.Export
				exported, limits = export.New(config.Injectors(), options)
				text, err = form.text(exported)
			}
			if err != nil {
				return err
			}
			findings = append(findings, limits...)
			if err := report.Text(cmd.ErrOrStderr(), findings, finding.Warning, finding.Finding.String); err != nil {
				return err
			}
			if finding.HasError(findings) {
				return errFailed
			}
			if output == "" {
				return writeOutput(cmd.OutOrStdout(), text)
			}
			return writeExport(output, form.file, text)
		},
	}
	in.addConfigFlag(cmd.Flags())
	cmd.Flags().StringVar(&to, "to", "", "`FORMAT`: kustomize for a Component, flux for a part of a Flux Kustomization, "+
		"admission for policies that the API server runs")
	_ = cmd.RegisterFlagCompletionFunc("to", // fails for a missing flag only
		cobra.FixedCompletions([]string{"kustomize", "flux", toAdmission}, cobra.ShellCompDirectiveNoFileComp))
	cmd.Flags().StringVar(&output, "output", "", "write to a file in `DIR` instead of standard output")
	cmd.Flags().BoolVar(&options.WithoutChecks, "without-checks", false, "export even if patches leave out some of Pillion's checks")
	policies.addFlags(cmd)
	return cmd
}

const toAdmission = "admission"

// findForm returns the form that --to names. It refuses flags that are for another one.
func findForm(cmd *cobra.Command, to string) (exportForm, error) {
	const remedy = "use --to kustomize, --to flux or --to admission"
	form, ok := exportForms[to]
	switch {
	case to == "":
		return form, errors.New("the flag --to is missing; " + remedy)
	case !ok:
		return form, fmt.Errorf("--to is %q; %s", to, remedy)
	case to == toAdmission && cmd.Flags().Changed("without-checks"):
		return form, errors.New("--without-checks is for patches, not for --to admission; remove it")
	case to == toAdmission && cmd.Flag("only").Value.String() == "mutate" && cmd.Flags().Changed("actions"):
		return form, errors.New("--actions is for the validating policy, which --only mutate leaves out; remove one of the two flags")
	case to == toAdmission:
		return form, nil
	}
	for _, name := range policyFlagNames {
		if cmd.Flags().Changed(name) {
			return form, fmt.Errorf("--%s is for --to admission, not for --to %s; remove it", name, to)
		}
	}
	return form, nil
}

// exportForm is a value of --to: the name of the file to write, and how to write it, unless it holds policies.
type exportForm struct {
	file string
	text func(export.Export) ([]byte, error)
}

// exportForms are the values of --to.
var exportForms = map[string]exportForm{
	"kustomize": {"kustomization.yaml", export.Export.Component},
	"flux":      {"flux-kustomization.yaml", export.Export.Flux},
	toAdmission: {"policy.yaml", nil},
}
