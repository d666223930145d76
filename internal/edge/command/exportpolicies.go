package command

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"sync"

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
		actions:       choices{values: policy.DefaultActions, from: []string{"Deny", "Warn", "Audit"}},
	}
	form := &exporter{file: "policy.yaml", export: flags.export}
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
  pillion export admission -c injector.yaml --actions Deny | kubectl apply -f -`,
		PreRunE: func(*cobra.Command, []string) error { return flags.check() },
	})
	flags.addFlags(cmd)
	return cmd
}

// policyFlags are the flags of an export to admission policies.
type policyFlags struct {
	only, failurePolicy choice
	actions             choices
	kubernetes          minorVersion
}

func (f *policyFlags) addFlags(cmd *cobra.Command) {
	f.only.addFlag(cmd, "only", "", "write one of the two `POLICY`s", "")
	f.actions.addFlag(cmd, "actions", "what the validating policy does, as a `LIST` of Deny, Warn and Audit",
		[]string{"Warn,Audit", "Deny", "Deny,Audit"})
	cmd.Flags().Var(&f.kubernetes, "kubernetes-version",
		"`VERSION` of the cluster that the policies are for; the default is the injectors' kubernetesVersion, or 1.36")
	_ = cmd.RegisterFlagCompletionFunc("kubernetes-version", cobra.NoFileCompletions) // fails for a missing flag only
	f.failurePolicy.addFlag(cmd, "failure-policy", "", "`REACTION` to an expression of a policy that fails",
		"; Fail refuses the pod, Ignore lets it pass")
}

// check returns an error for flags that cannot be combined.
func (f *policyFlags) check() error {
	if f.only.value == "mutate" && f.actions.isSet {
		return errors.New("--actions is for the validating policy, which --only mutate leaves out; " +
			"remove one of the two flags")
	}
	if slices.Contains(f.actions.values, "Deny") && slices.Contains(f.actions.values, "Warn") {
		return errors.New("--actions: a pod that is refused needs no warning; use Deny or Warn")
	}
	return nil
}

// export returns the policies of injectors.
func (f *policyFlags) export(injectors []*injector.Injector, configs []files.File) ([]byte, []finding.Finding) {
	minor := int(f.kubernetes)
	if minor == 0 {
		minor = policy.Minor(injectors)
	}
	texts := make([][]byte, len(configs))
	for i, config := range configs {
		texts[i] = config.Text
	}
	options := policy.Options{
		Minor: minor, Mutate: f.only.value != "validate", Validate: f.only.value != "mutate",
		Actions: f.actions.values, FailurePolicy: f.failurePolicy.value, Digest: policy.Digest(texts...),
	}
	policies, findings := policy.New(injectors, options)
	if finding.HasError(findings) || len(injectors) == 0 {
		return nil, findings
	}
	return policies.YAML(), findings
}

// minorVersion is a flag with a version of Kubernetes 1; 0 if it is not set.
type minorVersion int

func (v *minorVersion) String() string {
	if *v == 0 {
		return ""
	}
	return fmt.Sprintf("1.%d", *v)
}

// Type returns the type for the help.
func (*minorVersion) Type() string { return "string" }

// clusterVersion matches what people write and clusters report.
var clusterVersion = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^v?1\.([1-9]\d*)(\.\d+([-+].*)?)?$`)
})

// Set reads a version such as 1.36, v1.36, 1.36.2 or v1.36.2-gke.100.
func (v *minorVersion) Set(text string) error {
	if found := clusterVersion().FindStringSubmatch(text); found != nil {
		if minor, err := strconv.ParseUint(found[1], 10, 8); err == nil {
			*v = minorVersion(minor)
			return nil
		}
	}
	return fmt.Errorf("%q is not a version of Kubernetes; write it as 1.36", text)
}
