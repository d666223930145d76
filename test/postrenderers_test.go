package test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/test/golden"
)

const releaseOfCharts = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: shop}
spec: {chartRef: {kind: OCIRepository, name: web}}
`

// TestPostRenderersMakeWhatAnInjectionMakes runs the entries that an injection writes into a HelmRelease on what charts
// make, and compares the result with an injection into that. The golden file lists which shapes are equal, and what
// pillion verify says about the others.
func TestPostRenderersMakeWhatAnInjectionMakes(t *testing.T) {
	dir := filepath.Join("testdata", "postrenderers")
	charts, err := txtar.ParseFile(filepath.Join(dir, "charts.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	writeFile(t, filepath.Join(work, "injector.yaml"), string(charts.Files[0].Data))
	inject := func(manifests string) string {
		return mustRun(t, work, manifests, "pillion", "inject", "-c", "injector.yaml", "-f", "-").stdout
	}
	release := inject(releaseOfCharts)
	var list strings.Builder
	for _, chart := range charts.Files[1:] {
		t.Run(chart.Name, func(t *testing.T) {
			made := string(chart.Data)
			rendered := postRendered(t, release, made)
			fmt.Fprintf(&list, "## %s\n", chart.Name)
			r := run(t, work, rendered, "pillion", "verify", "-q", "-c", "injector.yaml", "-f", "-")
			if r.exitCode != 0 {
				list.WriteString(r.stderr)
				return
			}
			list.WriteString("equal to what Pillion makes\n")
			sameObjects(t, kustomized(t, inject(made), types.Kustomization{}), rendered) // which takes lists apart
		})
	}
	golden.Check(t, filepath.Join(dir, "charts.txt"), list.String())
}

// TestAPatchOfAllReleasesIsAnInjection builds a HelmRelease with the patch for all of them, and compares it with an
// injection into the release.
func TestAPatchOfAllReleasesIsAnInjection(t *testing.T) {
	charts, err := txtar.ParseFile(filepath.Join("testdata", "postrenderers", "charts.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	writeFile(t, filepath.Join(work, "injector.yaml"), string(charts.Files[0].Data))
	writeFile(t, filepath.Join(work, "release.yaml"), releaseOfCharts)
	export := []string{"export", "flux", "-c", "injector.yaml", "--helm-releases", "-f", "release.yaml"}
	var flux struct{ Spec types.Kustomization }
	if err := yaml.Unmarshal([]byte(mustRun(t, work, "", "pillion", export...).stdout), &flux); err != nil {
		t.Fatal(err)
	}
	built := kustomized(t, releaseOfCharts, types.Kustomization{Patches: flux.Spec.Patches})
	if said := mustRun(t, work, built, "pillion", "verify", "-c", "injector.yaml", "-f", "-").stderr; said != "1 workload: 1 patched\n" {
		t.Error(said)
	}
	injected := mustRun(t, work, releaseOfCharts, "pillion", "inject", "-c", "injector.yaml", "-f", "-").stdout
	if diff := cmp.Diff(objectsOf(t, injected), objectsOf(t, built)); diff != "" {
		t.Error(diff)
	}
	writeFile(t, filepath.Join(work, "release.yaml"), injected)
	const want = "the HelmRelease web has spec.postRenderers, which the patch would replace"
	if r := run(t, work, "", "pillion", export...); r.exitCode == 0 || !strings.Contains(r.stderr, want) {
		t.Error(r.stderr)
	}
}

// postRendered returns what the post-renderers of a release make of what its chart makes. It does what package
// postrender of Flux's helm-controller v1.6.3 does, which is internal there: one kustomization for each entry, with the
// same options.
func postRendered(t *testing.T, release, made string) string {
	t.Helper()
	var object struct {
		Spec struct {
			PostRenderers []struct {
				Kustomize struct {
					Patches []types.Patch
					Images  []types.Image
				}
			}
		}
	}
	if err := yaml.Unmarshal([]byte(release), &object); err != nil {
		t.Fatal(err)
	}
	if len(object.Spec.PostRenderers) == 0 {
		t.Fatal("the release has no post-renderers")
	}
	for _, renderer := range object.Spec.PostRenderers {
		made = kustomized(t, made, types.Kustomization{
			Patches: renderer.Kustomize.Patches,
			Images:  renderer.Kustomize.Images,
		})
	}
	return made
}

// kustomized returns what a kustomization makes of manifests.
func kustomized(t *testing.T, manifests string, k types.Kustomization) string {
	t.Helper()
	const file = "helm-output.yaml"
	k.TypeMeta = types.TypeMeta{APIVersion: types.KustomizationVersion, Kind: types.KustomizationKind}
	k.Resources = []string{file}
	text, err := json.Marshal(k)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, file), manifests)
	writeFile(t, filepath.Join(dir, "kustomization.yaml"), string(text))
	built, said, ok := krustyBuild(dir, &krusty.Options{
		LoadRestrictions: types.LoadRestrictionsNone,
		PluginConfig:     types.DisabledPluginConfig(),
	})
	if !ok {
		t.Fatal(said)
	}
	return built
}
