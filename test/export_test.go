package test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/test/example"
	"pillion.dev/pillion/test/golden"
	"pillion.dev/pillion/test/resourcelist"
)

// exportWays are the programs that build a package with an export.
var exportWays = []struct {
	name  string
	build func(t *testing.T, app exportedApp) (built, said string, ok bool)
}{
	{"in process", func(t *testing.T, app exportedApp) (string, string, bool) { return plainBuild(app.overlay(t)) }},
	{"kustomize", func(t *testing.T, app exportedApp) (string, string, bool) {
		r := run(t, app.overlay(t), "", kustomize(t), "build")
		return r.stdout, r.stderr, r.exitCode == 0
	}},
	{"flux", func(t *testing.T, app exportedApp) (string, string, bool) {
		program := fluxbuild(t)
		patches := mustRun(t, "", "", "pillion", app.arguments("flux")...).stdout
		file := filepath.Join(t.TempDir(), "flux.yaml")
		writeFile(t, file, patches)
		source := copyPackage(t, app.source)
		r := run(t, source, "", program, source, filepath.Join(source, app.build), file)
		return r.stdout, r.stderr, r.exitCode == 0
	}},
}

// exportedApp is a package without Pillion, and the config to export.
type exportedApp struct {
	source, build, config string
}

func (a exportedApp) arguments(to string) []string {
	return []string{"export", "-c", a.config, "--to", to, "--without-checks"}
}

// overlay returns a directory that builds the package with the exported Component.
func (a exportedApp) overlay(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "app"), os.DirFS(a.source)); err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(dir, "overlay")
	mustRun(t, "", "", "pillion", append(a.arguments("kustomize"), "--output", filepath.Join(dir, "sidecar"))...)
	if err := os.Mkdir(overlay, 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(overlay, "kustomization.yaml"),
		fmt.Sprintf("resources: [../app/%s]\ncomponents: [../sidecar]\n", a.build))
	return overlay
}

// injected returns the package with the changes of Pillion, and false if Pillion refuses it.
func (a exportedApp) injected(t *testing.T) (injected string, ok bool) {
	t.Helper()
	built, said, ok := plainBuild(filepath.Join(a.source, a.build))
	if !ok {
		t.Fatalf("the package does not build by itself:\n%s", said)
	}
	r := run(t, "", resourcelist.Wrap(resourcelist.Documents(built), readFile(t, a.config)), "pillion")
	return resourcelist.Join(itemsOf(t, r.stdout)), r.exitCode == 0
}

// plainBuild builds a directory in process, without functions.
func plainBuild(dir string) (built, said string, ok bool) {
	return krustyBuild(dir, krusty.MakeDefaultOptions())
}

// TestExportOfExamples exports every example. The golden file lists for each whether the export creates the same pods as Pillion,
// or why it cannot be exported. Whatever builds must be equal with every builder.
func TestExportOfExamples(t *testing.T) {
	var list strings.Builder
	for _, dir := range exampleDirs(t) {
		e, err := example.Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		app := exportedApp{withoutPillion(t, dir), e.Build, filepath.Join(dir, e.FunctionConfigFile)}
		fmt.Fprintf(&list, "## %s\n", e.Name)
		strict := run(t, "", "", "pillion", "export", "-c", app.config, "--to", "kustomize")
		list.WriteString(notExportable(strict.stderr))
		if strict.exitCode != 0 {
			if again := run(t, "", "", "pillion", app.arguments("kustomize")...); again.exitCode != 0 {
				continue
			}
			list.WriteString("--without-checks:\n")
		}
		list.WriteString(app.outcome(t, e.Name) + "\n")
	}
	golden.Check(t, filepath.Join("testdata", "export", "examples.txt"), list.String())
}

// outcome builds with every builder, and describes the result.
func (a exportedApp) outcome(t *testing.T, name string) string {
	t.Helper()
	want, accepted := a.injected(t)
	var outcome string
	for _, way := range exportWays {
		t.Run(name+"/"+way.name, func(t *testing.T) {
			built, said, ok := way.build(t, a)
			switch {
			case !ok:
				outcome = "the build stops: " + reason(said)
			case !accepted:
				t.Errorf("Pillion refuses, and the export builds:\n%s", built)
			default:
				outcome = "equal to what Pillion makes"
				sameObjects(t, want, built)
			}
		})
	}
	if !accepted {
		outcome += ", as Pillion refuses"
	}
	return outcome
}

// TestExport builds the cases in testdata/export. The first line of each is the expected result: "equal" to the result of
// Pillion, or "stops at" a path if Pillion may refuse the pod or decide by it, or both if the builders differ.
func TestExport(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "export", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			claim, _, _ := strings.Cut(string(archive.Comment), "\n")
			app := exportedApp{source: t.TempDir(), build: "."}
			app.config = filepath.Join(t.TempDir(), "config.yaml")
			for _, file := range archive.Files {
				path := filepath.Join(app.source, file.Name)
				if file.Name == "config.yaml" {
					path = app.config
				}
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				writeFile(t, path, string(file.Data))
			}
			if !slices.ContainsFunc(archive.Files, func(f txtar.File) bool { return f.Name == "kustomization.yaml" }) {
				writeFile(t, filepath.Join(app.source, "kustomization.yaml"), "resources: [app.yaml]\n")
			}
			for _, way := range exportWays {
				t.Run(way.name, func(t *testing.T) { app.holds(t, claim, way.build) })
			}
		})
	}
}

func (a exportedApp) holds(t *testing.T, claim string, build func(*testing.T, exportedApp) (string, string, bool)) {
	built, said, ok := build(t, a)
	builds, path, stops := strings.Cut(claim, "stops at ")
	switch {
	case builds == "" && ok:
		t.Errorf("it builds:\n%s", built)
	case !ok && !stops:
		t.Errorf("it does not build:\n%s", said)
	case !ok && !strings.Contains(said, path):
		t.Errorf("it stops elsewhere:\n%s", said)
	case ok:
		want, accepted := a.injected(t)
		if !accepted {
			t.Fatal("Pillion refuses")
		}
		sameObjects(t, want, built)
	}
}

// TestExportIgnoresTheRestOfItsKustomization checks the warning in the exported file and on the page. The case
// stops-at-a-namespace-that-was-set checks that the same namespace stops the build when it is set one directory below.
func TestExportIgnoresTheRestOfItsKustomization(t *testing.T) {
	app := exportedApp{source: t.TempDir(), build: ".", config: filepath.Join(root, "pipelines", "flux", "patches", "injector.yaml")}
	writeFile(t, filepath.Join(app.source, "app.yaml"), `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {logs: forward}}
spec: {template: {spec: {containers: [{name: web, image: web}]}}}
`)
	writeFile(t, filepath.Join(app.source, "kustomization.yaml"), "resources: [app.yaml]\n")
	overlay := app.overlay(t)
	kustomization := filepath.Join(overlay, "kustomization.yaml")
	writeFile(t, kustomization, readFile(t, kustomization)+"namespace: kube-system\n")
	built, said, ok := plainBuild(overlay)
	if !ok || !strings.Contains(built, "fluent-bit") {
		t.Errorf("kustomize shows patches the namespace that stands beside them; the docs say that it does not:\n%s%s", said, built)
	}
}

// TestExportFollowsGeneratedNames checks that a payload can refer to an object that the kustomization generates, as with the
// function.
func TestExportFollowsGeneratedNames(t *testing.T) {
	dir := kustomizeCase(t, "generated-configmap")
	config := filepath.Join(dir, "injector.yaml")
	mustRun(t, dir, "", "pillion", "export", "-c", config, "--to", "kustomize", "--without-checks", "--output", "sidecar")
	kustomization := filepath.Join(dir, "kustomization.yaml")
	writeFile(t, kustomization, strings.Replace(readFile(t, kustomization), "transformers: [injector.yaml]", "components: [sidecar]", 1))
	built, said, ok := plainBuild(dir)
	if !ok {
		t.Fatal(said)
	}
	mountsTheGeneratedConfigMap(t, built)
	sameObjects(t, readFile(t, filepath.Join("testdata", "kustomize", "generated-configmap", "expected.yaml")), built)
}

// withoutPillion returns a copy of a package whose kustomizations do not run Pillion.
func withoutPillion(t *testing.T, dir string) string {
	t.Helper()
	pkg := copyPackage(t, dir)
	for _, pattern := range []string{"kustomization.yaml", "*/kustomization.yaml"} {
		files, err := filepath.Glob(filepath.Join(pkg, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			var kustomization map[string]any
			if err := yaml.Unmarshal([]byte(readFile(t, file)), &kustomization); err != nil {
				t.Fatal(err)
			}
			delete(kustomization, "transformers")
			delete(kustomization, "components")
			writeFile(t, file, asYAML(t, kustomization))
		}
	}
	return pkg
}

// sameObjects compares objects by value. The order of the objects does not matter, that of their lists does.
func sameObjects(t *testing.T, want, got string) {
	t.Helper()
	injected := objectsOf(t, want)
	for _, object := range injected {
		withoutStamps(object)
	}
	if diff := cmp.Diff(injected, objectsOf(t, got)); diff != "" {
		t.Errorf("not what Pillion makes (-pillion +export):\n%s", diff)
	}
}

// withoutStamps removes the stamps, and the mappings that exist only for them. Patches write no stamps, because they never see
// their own output.
func withoutStamps(in any) (emptied bool) {
	switch value := in.(type) {
	case []any:
		for _, entry := range value {
			withoutStamps(entry)
		}
	case map[string]any:
		for key, field := range value {
			if strings.HasPrefix(key, "pillion.dev/injected-") || withoutStamps(field) {
				delete(value, key)
				emptied = len(value) == 0
			}
		}
	}
	return emptied
}

func objectsOf(t *testing.T, manifests string) map[string]any {
	t.Helper()
	objects := map[string]any{}
	for _, document := range resourcelist.Documents(manifests) {
		var object struct {
			Kind     string
			Metadata struct{ Namespace, Name string }
		}
		var all map[string]any
		for _, target := range []any{&object, &all} {
			if err := yaml.Unmarshal([]byte(document), target); err != nil {
				t.Fatal(err)
			}
		}
		objects[object.Kind+"/"+object.Metadata.Namespace+"/"+object.Metadata.Name] = all
	}
	return objects
}

var notExportableLine = regexp.MustCompile(`(?m)^error NotExportable: (.*) \[[^\]]*\]$`)

func notExportable(said string) string {
	var lines strings.Builder
	for _, match := range notExportableLine.FindAllStringSubmatch(said, -1) {
		lines.WriteString(match[1] + "\n")
	}
	return lines.String()
}

var tested = regexp.MustCompile(`testing value (.*) failed: test failed`)

// reason returns the path at which a build stopped.
func reason(said string) string {
	if match := tested.FindStringSubmatch(said); match != nil {
		return match[1]
	}
	return strings.TrimSpace(said)
}
