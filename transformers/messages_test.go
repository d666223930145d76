package transformers_test

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/transformers"
)

// flags finds flags of a command line, such as -f and --exclude.
var flags = regexp.MustCompile(`(?:^|[\s("])--?[a-zA-Z]`)

const injectorHead = "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: logs}\nspec:\n"

// TestMessagesNameNoFlags runs into the problems for which the command line has flags. Its scripts test that it names
// them.
func TestMessagesNameNoFlags(t *testing.T) {
	const simple = injectorHead + "  containers: [{name: logs, image: logs:1}]\n"
	injected := applyTo(t, logs(t, "logs"), app)
	for _, test := range []struct {
		claim    string
		config   string
		manifest string
		code     finding.Code
		message  string
	}{
		{"nothing to read", simple, "", finding.InvalidItem, "is empty"},
		{"no object", simple, "a: b", finding.InvalidItem, "no Kubernetes object"},
		{"a manifest for a config", app, app, finding.InvalidConfig, "not a config"},
		{"a patch", simple, "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}}", finding.InvalidItem, "patch for kustomize"},
		{"an unknown kind", simple, "{apiVersion: example.com/v1, kind: App, metadata: {name: web}, " +
			"spec: {template: {spec: {containers: [{name: web, image: x}]}}}}", finding.UnsupportedKind, "to accept that"},
		{"an unknown namespace", simple + "  namespaces: {include: [shop]}", app, finding.NamespaceUnknown, "set it"},
		{
			"an unknown namespace for a SidecarSet", "{apiVersion: apps.kruise.io/v1beta1, kind: SidecarSet, metadata: {name: logs}, " +
				"spec: {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: shop}}, " +
				"selector: {matchLabels: {app: web}}, containers: [{name: logs, image: x}]}}",
			app, finding.NamespaceUnknown, "set it",
		},
		{
			"nothing that matches", simple + "  selector: {matchLabels: {a: b}}", app + "---\n" + app + "---\n{apiVersion: v1, kind: Pod, " +
				"metadata: {name: a, namespace: kube-system}, spec: {containers: [{name: a, image: a}]}}",
			finding.TooFewMatches, "shows each",
		},
		{
			"a variable without a value", injectorHead + "  containers: [{name: logs, image: 'logs:${workload.namespace}'}]\n", app,
			finding.VariableUnset, "spec.defaultNamespace",
		},
		{
			"an image that was changed by hand", simple + "  action: Verify\n", strings.ReplaceAll(injected, "logs:1", "logs:2"),
			finding.Outdated, "sets back image",
		},
		{"an encrypted document", simple, app + "sops: {mac: x}\n", finding.Encrypted, "keep it out"},
	} {
		t.Run(test.claim, func(t *testing.T) {
			config, findings := transformers.Read(transformers.Source{File: "injector.yaml", Text: []byte(test.config)})
			if !finding.HasError(findings) {
				result, err := config.Apply(context.Background(), transformers.Source{File: "web.yaml", Text: []byte(test.manifest)})
				if err != nil {
					t.Fatal(err)
				}
				findings = append(findings, result.Findings...)
			}
			isFound := false
			for _, f := range findings {
				isFound = isFound || f.Code == test.code && strings.Contains(f.Message, test.message)
				for _, text := range []string{f.Message, f.Code.Help()} {
					if flags.MatchString(text) {
						t.Errorf("%s names a flag: %s", f.Code, text)
					}
				}
			}
			if !isFound {
				t.Errorf("there is no %s with %q in %v", test.code, test.message, findings)
			}
		})
	}
}

func TestAContextThatHasEndedIsNoFinding(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := logs(t, "logs").Apply(ctx, transformers.Source{Text: []byte(app)})
	if !errors.Is(err, context.Canceled) || errors.As(err, new(finding.Finding)) {
		t.Error(err)
	}
}

func TestTheErrorOfAReportGivesItsFindings(t *testing.T) {
	config, _ := transformers.New()
	result, err := config.Apply(context.Background(), transformers.Source{Text: []byte(app)})
	if err != nil {
		t.Fatal(err)
	}
	var found finding.Finding
	if !errors.As(result.Err(), &found) || found != result.Findings[0] {
		t.Errorf("%v has the finding %v", result.Err(), found)
	}
}
