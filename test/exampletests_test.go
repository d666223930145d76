package test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// noTests are the examples that pillion test cannot run, with the reason.
var noTests = map[string]string{
	"kustomize-component": "its config is in another directory than its manifests",
	"presets":             "its configs run on the same manifests, which are in another directory; TestPresets does",
	"upgrade-and-remove":  "it has several configs, which run one after the other; TestUpgradeAndRemove does",
}

// TestExamplesAreTests claims that pillion test runs all examples, except those of noTests, and that they pass.
func TestExamplesAreTests(t *testing.T) {
	said := mustRun(t, root, "", "pillion", "test", "examples").stdout
	entries, err := os.ReadDir(filepath.Join(root, "examples"))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		_, isNone := noTests[entry.Name()]
		isTest := strings.Contains(said, "passed "+filepath.Join("examples", entry.Name())+" ")
		if entry.IsDir() && isTest == isNone {
			t.Errorf("%s is a test: %v, and %v is expected:\n%s", entry.Name(), isTest, !isNone, said)
		}
	}
}

// TestFaultsInExamplesAreFound claims that pillion test finds each fault that is planted in an example, shows it, and
// finds none in the others.
func TestFaultsInExamplesAreFound(t *testing.T) {
	const lostVolume = "    volumeMounts:\n    - name: buffer\n      mountPath: /buffer\n" +
		"  volumes:\n  - name: buffer\n    emptyDir: {}\n"
	for name, fault := range map[string]struct{ file, old, changed, shown string }{
		"a changed image": {
			"kpt-package/injector.yaml", "fluent-bit:3.2.4", "fluent-bit:3.2.5", "+        image: fluent/fluent-bit:3.2.5",
		},
		"a lost volume": {
			"kpt-package/injector.yaml", lostVolume, "", "-      - name: buffer\n",
		},
		"a wrong order": {
			"many-injectors/injector.yaml", "before: envoy", "after: envoy", "-      - name: fluent-bit\n",
		},
		"a missing expectation": {
			"opt-in/expected.yaml", "deployment/cart: injected\n", "", "NothingExpected: deployment/cart: ",
		},
		"an expectation of nobody": {
			"opt-in/expected.yaml", "deployment/cart:", "deployment/card:", "there is no workload deployment/card",
		},
		"another decision": {
			"opt-in/opted-in.yaml", "inject: \"true\"", "inject: \"false\"", "skipped OptedOut, and expected to be injected",
		},
		"another reason": {
			"conflicts/expected.yaml", "PortConflict", "EnvConflict", "it is refused PortConflict, and expected",
		},
		"a changed result": {
			"many-injectors/expected/web.yaml", "example/web:1.0.0", "example/web:1.0.1", "+        image: example/web:1.0.0",
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(filepath.Join(root, "examples"))); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, fault.file)
			before := readFile(t, path)
			if !strings.Contains(before, fault.old) {
				t.Fatalf("%s has no %q", fault.file, fault.old)
			}
			writeFile(t, path, strings.Replace(before, fault.old, fault.changed, 1))
			got := run(t, dir, "", "pillion", "test", ".", "-q")
			if got.exitCode != 1 || !strings.Contains(got.stdout, fault.shown) {
				t.Errorf("exit code %d, want 1 and %q:\n%s%s", got.exitCode, fault.shown, got.stdout, got.stderr)
			}
			example, _, _ := strings.Cut(fault.file, "/")
			isOnly := strings.Contains(got.stdout, "18 tests: 17 passed, 1 failed, 0 broken")
			if !isOnly || !strings.Contains(got.stdout, "failed "+example+" (") {
				t.Errorf("other tests than %s failed:\n%s", example, got.stdout)
			}
		})
	}
}
