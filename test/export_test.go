package test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/internal/config/preset"
	"pillion.dev/pillion/test/example"
	"pillion.dev/pillion/test/golden"
	"pillion.dev/pillion/test/resourcelist"
)

// exportWays are the programs that build a package with an export.
var exportWays = []struct {
	name  string
	build func(t *testing.T, app exportedApp) string
}{
	{"in process", func(t *testing.T, app exportedApp) string { return mustBuild(t, app.overlay(t)) }},
	{"kustomize", func(t *testing.T, app exportedApp) string {
		return mustRun(t, app.overlay(t), "", kustomize(t), "build").stdout
	}},
	{"flux", func(t *testing.T, app exportedApp) string {
		if app.beside != "" {
			t.Skip("it is about the kustomization that lists the component")
		}
		program, file := fluxbuild(t), filepath.Join(t.TempDir(), "flux.yaml")
		writeFile(t, file, mustRun(t, "", "", "pillion", "export", "flux", "-c", app.config).stdout)
		source := copyPackage(t, app.source)
		return mustRun(t, source, "", program, source, filepath.Join(source, app.build), file).stdout
	}},
}

// exportedApp is a package without Pillion, the config to export, and what stands beside the component.
type exportedApp struct {
	source, build, config, beside string
}

// overlay returns a directory that builds the package with the exported Component.
func (a exportedApp) overlay(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "app"), os.DirFS(a.source)); err != nil {
		t.Fatal(err)
	}
	exportComponent(t, a.config, filepath.Join(dir, "sidecar"))
	overlay := filepath.Join(dir, "overlay")
	if err := os.Mkdir(overlay, 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(overlay, "kustomization.yaml"),
		fmt.Sprintf("resources: [../app/%s]\ncomponents: [../sidecar]\n%s", a.build, a.beside))
	return overlay
}

// injected returns the package with the changes of Pillion.
func (a exportedApp) injected(t *testing.T) string {
	t.Helper()
	built := mustBuild(t, filepath.Join(a.source, a.build))
	list := resourcelist.Wrap(resourcelist.Documents(built), readFile(t, a.config))
	return resourcelist.Join(itemsOf(t, mustRun(t, "", list, "pillion").stdout))
}

// verified returns what the verify line of the exported file prints about what was built, which is nothing if that
// passes.
func (a exportedApp) verified(t *testing.T, built string) string {
	t.Helper()
	if r := run(t, "", built, "pillion", "verify", "-c", a.config, "-f", "-"); r.exitCode != 0 {
		return cmp.Or(r.stderr, "it fails")
	}
	return ""
}

// isEqual checks that all programs build what Pillion makes, and that this passes.
func (a exportedApp) isEqual(t *testing.T) {
	t.Helper()
	want := a.injected(t)
	for _, way := range exportWays {
		t.Run(way.name, func(t *testing.T) {
			built := way.build(t, a)
			sameObjects(t, want, built)
			if said := a.verified(t, built); said != "" {
				t.Errorf("pillion verify fails:\n%s", said)
			}
		})
	}
}

// plainBuild builds a directory in process, without functions.
func plainBuild(dir string) (built, said string, ok bool) {
	return krustyBuild(dir, krusty.MakeDefaultOptions())
}

func mustBuild(t *testing.T, dir string) string {
	t.Helper()
	built, said, ok := plainBuild(dir)
	if !ok {
		t.Fatal(said)
	}
	return built
}

// TestExportOfExamples exports every example. The golden file lists why it cannot be exported, or what pillion verify
// says.
func TestExportOfExamples(t *testing.T) {
	var list strings.Builder
	for _, dir := range exampleDirs(t) {
		e, err := example.Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		app := exportedApp{source: withoutPillion(t, dir), build: e.Build, config: filepath.Join(dir, e.FunctionConfigFile)}
		fmt.Fprintf(&list, "## %s\n", e.Name)
		if refused := run(t, "", "", "pillion", "export", "kustomize", "-c", app.config); refused.exitCode != 0 {
			list.WriteString(notExportable(refused.stderr))
			continue
		}
		if said := app.verified(t, mustBuild(t, app.overlay(t))); said != "" {
			list.WriteString("verify says: " + strings.Join(changeLine.FindAllString(said, -1), ", ") + "\n")
			continue
		}
		list.WriteString("equal to what Pillion makes\n")
		t.Run(e.Name, app.isEqual)
	}
	golden.Check(t, filepath.Join("testdata", "export", "examples.txt"), list.String())
}

// TestExportOfPresets exports every preset, with the port of the app where it has that setting.
func TestExportOfPresets(t *testing.T) {
	exported := 0
	for _, p := range preset.All {
		settings := p.Example()
		if slices.ContainsFunc(p.Settings, func(s preset.Setting) bool { return s.Name == "app-port" }) {
			settings = append(settings, "app-port=8080")
		}
		text, err := p.Injector("injector.yaml", settings)
		if err != nil {
			t.Fatal(err)
		}
		app := newExportedApp(t, text, readFile(t, filepath.Join("testdata", "export", "workloads.yaml")))
		if r := run(t, "", "", "pillion", "export", "kustomize", "-c", app.config); r.exitCode != 0 {
			const want = "a patch does not know the names of the app's containers; use pillion export admission, or run Pillion as a function"
			if said := notExportable(r.stderr); said != "spec.appContainers: "+want+"\n" {
				t.Errorf("%s is refused because of something else:\n%s", p.Name, said)
			}
			continue
		}
		exported++
		t.Run(p.Name, app.isEqual)
	}
	if exported != 4 {
		t.Errorf("%d presets were exported, want 4", exported)
	}
}

// TestExportOfStarters exports the starter of pillion init and the example of the README, in all formats.
func TestExportOfStarters(t *testing.T) {
	dir := t.TempDir()
	mustRun(t, dir, "", "pillion", "init")
	_, readme, _ := strings.Cut(readFile(t, filepath.Join(root, "README.md")), "```yaml\n")
	readme, _, _ = strings.Cut(readme, "```\n")
	for name, config := range map[string]string{"starter": readFile(t, filepath.Join(dir, "injector.yaml")), "readme": readme} {
		app := newExportedApp(t, config, readFile(t, filepath.Join("testdata", "export", "workloads.yaml")))
		t.Run(name, app.isEqual)
		for _, format := range []string{"kustomize", "flux", "admission"} {
			mustRun(t, dir, "", "pillion", "export", format, "-c", app.config)
		}
	}
}

func newExportedApp(t *testing.T, config, app string) exportedApp {
	t.Helper()
	a := exportedApp{source: t.TempDir(), build: ".", config: filepath.Join(t.TempDir(), "config.yaml")}
	writeFile(t, a.config, config)
	writeFile(t, filepath.Join(a.source, "app.yaml"), app)
	writeFile(t, filepath.Join(a.source, "kustomization.yaml"), "resources: [app.yaml]\n")
	return a
}

// TestExport builds the cases in testdata/export, each of which begins with the expected result: "equal" to what
// Pillion makes, "verify says" something, or "builds" something that Pillion would not make, and that pillion verify
// does not find.
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
			parts := map[string]string{}
			for _, part := range archive.Files {
				parts[part.Name] = string(part.Data)
			}
			app := newExportedApp(t, parts["config.yaml"], parts["app.yaml"])
			app.beside = parts["beside.yaml"]
			verb, what, _ := strings.Cut(strings.TrimSpace(string(archive.Comment)), " ")
			if verb == "equal" {
				app.isEqual(t)
				return
			}
			for _, way := range exportWays {
				t.Run(way.name, func(t *testing.T) {
					built := way.build(t, app)
					said := app.verified(t, built)
					if verb == "builds" && (said != "" || !strings.Contains(built, what)) {
						t.Errorf("there is no %q, or verify fails:\n%s%s", what, built, said)
					}
					if verb == "verify" && !strings.Contains(said, strings.TrimPrefix(what, "says ")) {
						t.Errorf("pillion verify does not say that:\n%s%s", said, built)
					}
				})
			}
		})
	}
}

// exportComponent writes the Component of a config to a new directory.
func exportComponent(t *testing.T, config, dir string) {
	t.Helper()
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	component := mustRun(t, "", "", "pillion", "export", "kustomize", "-c", config).stdout
	writeFile(t, filepath.Join(dir, "kustomization.yaml"), component)
}

// TestExportFollowsGeneratedNames checks that a payload can refer to an object that the kustomization generates, as
// with the function.
func TestExportFollowsGeneratedNames(t *testing.T) {
	dir := kustomizeCase(t, "generated-configmap")
	config := filepath.Join(dir, "injector.yaml")
	exportComponent(t, config, filepath.Join(dir, "sidecar"))
	kustomization := filepath.Join(dir, "kustomization.yaml")
	writeFile(t, kustomization, strings.Replace(readFile(t, kustomization), "transformers: [injector.yaml]", "components: [sidecar]", 1))
	built := mustBuild(t, dir)
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

// sameObjects compares objects by value, in Kubernetes' sense: the order of volumes and of pull secrets does not
// matter.
func sameObjects(t *testing.T, want, got string) {
	t.Helper()
	objects := [2]map[string]any{objectsOf(t, want), objectsOf(t, got)}
	for _, all := range objects {
		for _, object := range all {
			leaveMeaning(object)
		}
	}
	if diff := gocmp.Diff(objects[0], objects[1]); diff != "" {
		t.Errorf("not what Pillion makes (-pillion +export):\n%s", diff)
	}
}

// leaveMeaning sorts lists whose order means nothing, and removes stamps, because those of Pillion also have what was
// empty before. The export has mappings that exist only for stamps as well.
func leaveMeaning(in any) {
	switch value := in.(type) {
	case []any:
		for _, entry := range value {
			leaveMeaning(entry)
		}
	case map[string]any:
		for key, field := range value {
			leaveMeaning(field)
			list, isList := field.([]any)
			switch {
			case strings.HasPrefix(key, "pillion.dev/injected-"):
				delete(value, key)
			case isList && (key == "volumes" || key == "imagePullSecrets"):
				slices.SortFunc(list, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
			}
		}
	}
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

// changeLine is a line about changes that workloads lack.
var changeLine = regexp.MustCompile(`(?m)[^: ]+: an injection would change it: .*$`)

var notExportableLine = regexp.MustCompile(`(?m)^error NotExportable: (.*) \[[^\]]*\]$`)

func notExportable(said string) string {
	var lines strings.Builder
	for _, match := range notExportableLine.FindAllStringSubmatch(said, -1) {
		lines.WriteString(match[1] + "\n")
	}
	return lines.String()
}
