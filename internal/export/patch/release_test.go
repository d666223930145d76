package patch_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/export/patch"
)

const release = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: shop}
spec: {chartRef: {kind: OCIRepository, name: web}}
`

// entriesOf returns what an injector that patches releases, with a spec, makes of a release.
func entriesOf(t *testing.T, spec string) (text string, entries []any) {
	t.Helper()
	config, findings := engine.ReadConfig(finding.Source{Text: configOf("helmReleases: Patch\n" + spec)})
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	result, err := engine.Apply(context.Background(), config, finding.Source{Text: []byte(release)})
	if err != nil || result.Texts[0] == nil {
		t.Fatal(err, result.Run.Findings())
	}
	var object struct {
		Spec struct {
			PostRenderers []struct {
				Kustomize struct{ Patches []any }
			}
		}
	}
	if err := yaml.Unmarshal(result.Texts[0], &object); err != nil {
		t.Fatal(err)
	}
	return string(result.Texts[0]), object.Spec.PostRenderers[0].Kustomize.Patches
}

// TestAnEntryIsTheSameForEqualConfigs checks that a release stays as it is if kustomize hands the config to a function:
// it sorts keys and changes quotes.
func TestAnEntryIsTheSameForEqualConfigs(t *testing.T) {
	first, _ := entriesOf(t, `containers: [{name: a, image: "a:1", env: [{name: B, value: 'x'}], resources: null}]
volumes: [{name: v, emptyDir: {}}]
`)
	second, _ := entriesOf(t, `volumes:
- emptyDir: {}
  name: v
containers:
- env:
  - value: x
    name: "B"
  image: a:1
  name: a
`)
	if diff := cmp.Diff(first, second); diff != "" {
		t.Error(diff)
	}
}

// TestAnEntryHasTheExportedPatches compares the patches of an entry, by what they mean, with those of an export.
func TestAnEntryHasTheExportedPatches(t *testing.T) {
	const spec = sidecar + `
selectorScope: Workload
selector: {matchLabels: {tier: web}}
volumes: [{name: v, emptyDir: {}}]
imagePullSecrets: [{name: s}]
patchPodMetadata: [{labels: {a: b}, annotations: {c: "true"}, patchPolicy: Overwrite}]
`
	config, _ := engine.ReadConfig(finding.Source{Text: configOf(spec)})
	exported, findings := patch.New(config.Injectors())
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	var component struct{ Patches []any }
	if err := yaml.Unmarshal(exported.Component(), &component); err != nil {
		t.Fatal(err)
	}
	_, entry := entriesOf(t, spec)
	if diff := cmp.Diff(inMeaning(t, component.Patches), inMeaning(t, entry)); diff != "" {
		t.Error(diff)
	}
}

// inMeaning returns patches with their texts as values.
func inMeaning(t *testing.T, patches []any) []any {
	t.Helper()
	for _, p := range patches {
		fields := p.(map[string]any)
		var value any
		if err := yaml.Unmarshal([]byte(fields["patch"].(string)), &value); err != nil {
			t.Fatal(err)
		}
		fields["patch"] = value
	}
	return patches
}

// TestPostRenderersRefuse checks what an entry cannot express, and what it can, besides what an export does.
func TestPostRenderersRefuse(t *testing.T) {
	for spec, want := range map[string]string{
		"selector: {matchLabels: {a: b}}":                          "spec.selector",
		"selectorScope: Workload\nselector: {matchLabels: {a: b}}": "",
		"neverInjectSelector: [{matchLabels: {a: b}}]":             "spec.neverInjectSelector",
		"namespaces: {include: [shop]}":                            "",
		"namespaceSelector: {matchLabels: {a: b}}":                 "",
		"action: Verify": "",
		"paused: true":   "",
		"adopt: true":    "spec.adopt",
		"volumes: [{name: v, hostPath: {path: '/$${A}'}}]":                "spec.helmReleases",
		"volumes: [{name: v, hostPath: {path: '/$(A)'}}]":                 "",
		"kubernetesVersion: '1.28'":                                       "spec.containers[0].mode",
		"rules: [{apiGroups: [a.b], apiVersions: [v1], resources: [cs]}]": "spec.rules",
	} {
		config, _ := engine.ReadConfig(finding.Source{Text: configOf(spec + "\n" + sidecar)})
		_, refused := patch.PostRenderers(config.Injectors())
		var fields []string
		for _, f := range refused {
			fields = append(fields, f.Field.Path)
		}
		if got := strings.Join(fields, " "); got != want {
			t.Errorf("%s: %q instead of %q", spec, got, want)
		}
	}
}

// configOf returns a config with a spec.
func configOf(spec string) []byte {
	const head = "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: injector-0}\nspec:\n  "
	return []byte(head + strings.ReplaceAll(strings.TrimSuffix(spec, "\n"), "\n", "\n  ") + "\n")
}
