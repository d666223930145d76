package command

import (
	"errors"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/export/policy"
)

func newExportAdmission() *cobra.Command {
	flags := &policyFlags{
		only:          choice{from: []string{"mutate", "validate"}},
		failurePolicy: choice{value: "Fail", from: []string{"Fail", "Ignore"}},
	}
	form := &exporter{export: flags.export}
	cmd := form.addTo(&cobra.Command{
		Use:   "admission",
		Short: "Export injectors as admission policies",
		Long: `Export admission prints policies that the API server runs itself: one that injects into pods
when they are created, and one that reports or refuses pods without what is declared.`,
		Example: `  # Warn of pods without the sidecar, before any pod is changed.
  pillion export admission -c injector.yaml --only validate | kubectl apply -f -

  # Inject into pods when they are created, and warn of those without the sidecar.
  pillion export admission -c injector.yaml | kubectl apply -f -

  # The same, and refuse those without the sidecar.
  pillion export admission -c injector.yaml --deny | kubectl apply -f -`,
		PreRunE: func(*cobra.Command, []string) error { return flags.check() },
	})
	flags.addFlags(cmd)
	return cmd
}

// policyFlags are the flags of an export to admission policies.
type policyFlags struct {
	only, failurePolicy choice
	denies              bool
}

func (f *policyFlags) addFlags(cmd *cobra.Command) {
	f.only.addFlag(cmd, "only", "", "write one of the two `POLICY`s", "")
	cmd.Flags().BoolVar(&f.denies, "deny", false,
		"refuse pods without what is declared, instead of a warning and an entry in the audit log")
	f.failurePolicy.addFlag(cmd, "failure-policy", "", "`REACTION` to an expression of a policy that fails",
		"; Fail refuses the pod, Ignore lets it pass")
}

// check returns an error for flags that cannot be combined.
func (f *policyFlags) check() error {
	if f.only.value == "mutate" && f.denies {
		return errors.New("--deny is for the validating policy, which --only mutate leaves out; " +
			"remove one of the two flags")
	}
	return nil
}

// export returns the policies of injectors.
func (f *policyFlags) export(injectors []*injector.Injector, configs []files.File) ([]byte, []finding.Finding) {
	actions := policy.DefaultActions
	if f.denies {
		actions = []string{"Deny"}
	}
	texts := make([][]byte, len(configs))
	for i, config := range configs {
		texts[i] = config.Text
	}
	options := policy.Options{
		Minor:         policy.Minor(injectors),
		Mutate:        f.only.value != "validate",
		Validate:      f.only.value != "mutate",
		Actions:       actions,
		FailurePolicy: f.failurePolicy.value,
		Digest:        policy.Digest(texts...),
	}
	policies, findings := policy.New(injectors, options)
	if finding.HasError(findings) || len(injectors) == 0 {
		return nil, findings
	}
	return policies.YAML(), findings
}
