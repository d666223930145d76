package test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pillion.dev/pillion/test/resourcelist"
)

// generators creates what the payload of testdata/renamed refers to, with hashes.
const generators = `
configMapGenerator:
- name: proxy-conf
  literals: [mode=a]
secretGenerator:
- name: proxy-token
  literals: [token=t]
- name: proxy-registry
  type: kubernetes.io/dockerconfigjson
  literals: ['.dockerconfigjson={}']
`

const all = "resources: [workloads.yaml, objects.yaml]\n" + generators

// renamedCases are kustomizations, by directory, that change the names to which the payload refers. Each directory also
// has the files of testdata/renamed, and the kustomization in "build" is the one to build.
var renamedCases = map[string]map[string]string{
	"generated": {"build": all + "transformers: [injector.yaml]\n"},
	"no hash":   {"build": all + "transformers: [injector.yaml]\nnamePrefix: p-\ngeneratorOptions: {disableNameSuffixHash: true}\n"},
	"prefixed":  {"build": all + "transformers: [injector.yaml]\nnamePrefix: shop-\n"},
	"suffixed":  {"build": all + "transformers: [injector.yaml]\nnameSuffix: -eu\n"},
	"no dashes": {"build": all + "transformers: [injector.yaml]\nnamePrefix: a\nnameSuffix: z\n"},
	"dots":      {"build": all + "transformers: [injector.yaml]\nnamePrefix: a.\nnameSuffix: .z\n"},
	"injected in the base": {
		"base":  all + "transformers: [injector.yaml]\nnamePrefix: shop-\n",
		"build": "resources: [../base]\nnamePrefix: prod-\nnameSuffix: -eu\nnamespace: shop\n",
	},
	"injected in the overlay": {
		"base":  all + "namePrefix: shop-\n",
		"build": "resources: [../base]\ntransformers: [injector.yaml]\nnamePrefix: prod-\nnamespace: shop\n",
	},
	"injected in both": {
		"base":  all + "transformers: [injector.yaml]\nnamePrefix: shop-\n",
		"build": "resources: [../base]\ntransformers: [injector.yaml]\nnamePrefix: prod-\n",
	},
	"objects with a prefix of their own": {
		"objects": "resources: [objects.yaml]\nnamePrefix: proxies-\n" + generators,
		"build":   "resources: [../objects, workloads.yaml]\ntransformers: [injector.yaml]\nnamePrefix: prod-\n",
	},
	"a component": {
		"base": "resources: [workloads.yaml, objects.yaml]\nnamePrefix: shop-\n",
		"component": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n" +
			"transformers: [injector.yaml]\n" + generators,
		"build": "resources: [../base]\ncomponents: [../component]\nnamePrefix: prod-\n",
	},
	"two variants": {
		"base":    all + "transformers: [injector.yaml]\n",
		"staging": "resources: [../base]\nnamePrefix: staging-\n",
		"prod":    "resources: [../base]\nnamePrefix: prod-\n",
		"build":   "resources: [../staging, ../prod]\n",
	},
}

// TestKustomizeNames feeds what kustomize builds back to Pillion. A reference that kustomize renamed is the same
// reference: it is no drift, it stays through an upgrade, and it is removed with its sidecar.
func TestKustomizeNames(t *testing.T) {
	injector := readFile(t, filepath.Join("testdata", "renamed", "injector.yaml"))
	upgraded := strings.ReplaceAll(injector, "proxy:1", "proxy:2")
	const more = "    env:\n    - name: MORE\n      valueFrom: {configMapKeyRef: {name: proxy-conf, key: b}}\n"
	extended := strings.Replace(upgraded, "    env:\n", more, 1)
	for name, dirs := range renamedCases {
		t.Run(name, func(t *testing.T) {
			built := buildRenamed(t, dirs, injector)
			if strings.Contains(built, "name: proxy-conf\n") {
				t.Fatalf("kustomize renamed nothing:\n%s", built)
			}
			t.Run("diff", func(t *testing.T) { nothingToChange(t, built, injector) })
			t.Run("verify", func(t *testing.T) { verifies(t, built, injector) })
			t.Run("upgrade", func(t *testing.T) { sameValues(t, buildRenamed(t, dirs, upgraded), injectInto(t, built, upgraded)) })
			t.Run("extend", func(t *testing.T) { sameValues(t, buildRenamed(t, dirs, extended), injectInto(t, built, extended)) })
			t.Run("by hand", func(t *testing.T) { drifts(t, strings.ReplaceAll(built, "proxy-cache", "other-cache"), injector) })
			t.Run("remove", func(t *testing.T) {
				removed := mustRun(t, "", built, "pillion", "remove", "-c", config(t, injector), "-f", "-")
				sameText(t, buildRenamed(t, dirs, ""), removed.stdout)
				if strings.Contains(removed.stderr, "Drifted") {
					t.Error(removed.stderr)
				}
			})
		})
	}
}

// buildRenamed builds one of the cases with an injector, or without any.
func buildRenamed(t *testing.T, dirs map[string]string, injector string) string {
	t.Helper()
	root := t.TempDir()
	for dir, kustomization := range dirs {
		to := filepath.Join(root, dir)
		if err := os.CopyFS(to, os.DirFS(filepath.Join("testdata", "renamed"))); err != nil {
			t.Fatal(err)
		}
		if injector == "" {
			kustomization = strings.Replace(kustomization, "transformers: [injector.yaml]\n", "", 1)
		}
		writeFile(t, filepath.Join(to, "injector.yaml"), injector)
		writeFile(t, filepath.Join(to, "kustomization.yaml"), kustomization)
	}
	built, said, ok := buildWithExec(t, filepath.Join(root, "build"))
	if !ok {
		t.Fatalf("did not build:\n%s", said)
	}
	return built
}

// config writes a config for the command line, and returns its path.
func config(t *testing.T, injector string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "injector.yaml")
	writeFile(t, path, injector)
	return path
}

func nothingToChange(t *testing.T, built, injector string) {
	t.Helper()
	if r := run(t, "", built, "pillion", "diff", "-v", "-c", config(t, injector), "-f", "-"); r.exitCode != 0 || r.stdout != "" ||
		strings.Contains(r.stderr, "Drifted") || strings.Contains(r.stderr, "ReferenceMissing") || !strings.Contains(r.stderr, "Renamed") {
		t.Errorf("exit code %d:\n%s%s", r.exitCode, r.stdout, r.stderr)
	}
	r := run(t, "", built, "pillion", "verify", "-c", config(t, injector), "-f", "-")
	if r.exitCode != 0 || !strings.Contains(r.stderr, "Renamed") {
		t.Errorf("verify has the exit code %d:\n%s", r.exitCode, r.stderr)
	}
	sameText(t, built, injectInto(t, built, injector))
}

// drifts checks that another name is a change by hand.
func drifts(t *testing.T, changed, injector string) {
	t.Helper()
	r := run(t, "", changed, "pillion", "diff", "-c", config(t, injector), "-f", "-")
	if r.exitCode != 1 || !strings.Contains(r.stderr, `volume "cache" was changed by hand`) {
		t.Errorf("exit code %d:\n%s%s", r.exitCode, r.stdout, r.stderr)
	}
}

// verifies checks the same as a function in a pipeline.
func verifies(t *testing.T, built, injector string) {
	t.Helper()
	items := resourcelist.Documents(built)
	verify := strings.Replace(injector, "\nspec:\n", "\nspec:\n  action: Verify\n", 1)
	sameItems(t, "nothing is outdated", items, mustRun(t, "", resourcelist.Wrap(items, verify), "pillion").stdout)
}

func injectInto(t *testing.T, built, injector string) string {
	t.Helper()
	return mustRun(t, "", built, "pillion", "inject", "-c", config(t, injector), "-f", "-").stdout
}

func sameText(t *testing.T, want, got string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// sameValues compares objects with their stamps, whatever the order of their fields.
func sameValues(t *testing.T, want, got string) {
	t.Helper()
	if diff := cmp.Diff(objectsOf(t, want), objectsOf(t, got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
