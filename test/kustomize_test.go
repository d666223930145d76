package test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"pillion.dev/pillion/test/golden"
)

// kustomizeBuild builds a directory, and returns what kustomize prints.
type kustomizeBuild func(t *testing.T, dir string) (built, said string, ok bool)

// kustomizeWays are the ways to run a function with kustomize.
var kustomizeWays = []struct {
	name  string
	build kustomizeBuild
}{
	{"exec", buildWithExec},
	{"container", buildWithContainer},
	{"in process", buildInProcess},
}

func TestKustomize(t *testing.T) {
	cases := []struct {
		name string
		// build is the directory to build, relative to that of the case
		build string
		// claim is a check in addition to the golden file
		claim func(t *testing.T, built string)
	}{
		{name: "file"},
		{name: "inline"},
		{name: "component", build: "overlay"},
		{name: "base-and-overlay", build: "overlay", claim: hasOneSidecar},
		{name: "generated-configmap", claim: mountsTheGeneratedConfigMap},
		{name: "generated-in-base", build: "overlay", claim: mountsTheGeneratedConfigMap},
		{name: "local-config", claim: hasNoLocalConfig},
	}
	for _, test := range cases {
		for _, way := range kustomizeWays {
			t.Run(test.name+"/"+way.name, func(t *testing.T) {
				built, said, ok := way.build(t, filepath.Join(kustomizeCase(t, test.name), test.build))
				if !ok {
					t.Fatalf("did not build:\n%s", said)
				}
				golden.Check(t, filepath.Join("testdata", "kustomize", test.name, "expected.yaml"), built)
				hasNoInternalAnnotations(t, built)
				if test.claim != nil {
					test.claim(t, built)
				}
			})
		}
	}
}

// TestKustomizeKeepsComments checks that every comment stays with its field if a native sidecar goes before the app's
// init containers, between or behind them. kustomize build drops all comments; kustomize fn run copies them by list
// index, as kpt does.
func TestKustomizeKeepsComments(t *testing.T) {
	for _, knobs := range []string{"", "    after: migrate\n", "    after: warm\n"} {
		t.Run(strings.TrimSpace(knobs), func(t *testing.T) {
			runWith := func(program string) string {
				dir := t.TempDir()
				writeFile(t, filepath.Join(dir, "web.yaml"), readFile(t, filepath.Join("testdata", "kpt", "positions", "web.yaml")))
				writeFile(t, filepath.Join(dir, "injector.yaml"), strings.Replace(fmt.Sprintf(positionInjector, knobs), "  name: envoy\n",
					"  name: envoy\n  annotations:\n    config.kubernetes.io/function: |\n      exec: {path: "+program+"}\n", 1))
				mustRun(t, dir, "", kustomize(t), "fn", "run", dir, "--enable-exec")
				return readFile(t, filepath.Join(dir, "web.yaml"))
			}
			untouched, web := runWith(tool(t, "cat")), runWith(tool(t, "pillion"))
			if !strings.Contains(untouched, "image: migrate:1 # kpt-set: ${migrate-image}\n") || !strings.Contains(web, "name: envoy\n") {
				t.Fatalf("got\n%s\nand\n%s", untouched, web)
			}
			addsOnlyLinesWithoutComments(t, untouched, web)
		})
	}
}

// TestKustomizeInjectsOnce checks that an overlay with the injector of its base changes nothing.
func TestKustomizeInjectsOnce(t *testing.T) {
	dir := kustomizeCase(t, "base-and-overlay")
	overlay := filepath.Join(dir, "overlay")
	twice, _, _ := buildInProcess(t, overlay)

	kustomization := filepath.Join(overlay, "kustomization.yaml")
	writeFile(t, kustomization, strings.Replace(readFile(t, kustomization), "transformers: [injector.yaml]\n", "", 1))
	once, said, ok := buildInProcess(t, overlay)
	if !ok {
		t.Fatal(said)
	}
	if diff := cmp.Diff(once, twice); diff != "" {
		t.Errorf("injected again it differs (-once +twice):\n%s", diff)
	}
}

// TestKustomizeShowsRefusals checks that a refusal stops the build, and that kustomize prints the reason. kustomize
// deletes everything after an empty reply with exit code 0.
func TestKustomizeShowsRefusals(t *testing.T) {
	for _, way := range kustomizeWays {
		t.Run(way.name, func(t *testing.T) {
			built, said, ok := way.build(t, kustomizeCase(t, "refused"))
			if ok || built != "" {
				t.Errorf("built something:\n%s", built)
			}
			// In process, the reason goes to the standard error of the tests.
			if way.name != "in process" && !strings.Contains(said, "ContainerConflict") {
				t.Errorf("the reason is not shown:\n%s", said)
			}
		})
	}
}

func buildInProcess(t *testing.T, dir string) (built, said string, ok bool) {
	t.Helper()
	options := krusty.MakeDefaultOptions()
	options.Reorder = krusty.ReorderOptionLegacy // the default of the program
	options.PluginConfig = types.EnabledPluginConfig(types.BploUseStaticallyLinked)
	options.PluginConfig.FnpLoadingOptions.EnableExec = true
	return krustyBuild(dir, options)
}

// krustyBuild builds a directory with the library of kustomize.
func krustyBuild(dir string, options *krusty.Options) (built, said string, ok bool) {
	resources, err := krusty.MakeKustomizer(options).Run(filesys.MakeFsOnDisk(), dir)
	if err != nil {
		return "", err.Error(), false
	}
	text, err := resources.AsYaml()
	if err != nil {
		return "", err.Error(), false
	}
	return string(text), "", true
}

func buildWithExec(t *testing.T, dir string) (built, said string, ok bool) {
	t.Helper()
	r := run(t, dir, "", kustomize(t), "build", "--enable-alpha-plugins", "--enable-exec")
	return r.stdout, r.stderr, r.exitCode == 0
}

func buildWithContainer(t *testing.T, dir string) (built, said string, ok bool) {
	t.Helper()
	useContainer(t, filepath.Dir(dir), image(t))
	r := run(t, dir, "", kustomize(t), "build", "--enable-alpha-plugins")
	return r.stdout, r.stderr, r.exitCode == 0
}

var execFunction = regexp.MustCompile(`exec:\n( +)path: pillion\n`)

// useContainer replaces exec functions under dir by containers, so that both ways use the same files.
func useContainer(t *testing.T, dir, image string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		writeFile(t, file, execFunction.ReplaceAllString(readFile(t, file), "container:\n${1}image: "+image+"\n"))
	}
}

func kustomizeCase(t *testing.T, name string) string {
	t.Helper()
	return copyPackage(t, filepath.Join("testdata", "kustomize", name))
}

func hasOneSidecar(t *testing.T, built string) {
	t.Helper()
	if n := strings.Count(built, "image: envoyproxy/envoy"); n != 1 {
		t.Errorf("%d sidecars, want 1:\n%s", n, built)
	}
}

var generatedName = regexp.MustCompile(`name: prod-(shop-)?envoy-conf-[a-z0-9]{10}\n`)

// mountsTheGeneratedConfigMap checks that the payload refers to the generated name of the ConfigMap.
func mountsTheGeneratedConfigMap(t *testing.T, built string) {
	t.Helper()
	names := generatedName.FindAllString(built, -1)
	if len(names) != 2 || names[0] != names[1] {
		t.Errorf("the ConfigMap and the volume do not share a name with prefix and hash: %q in\n%s", names, built)
	}
}

func hasNoLocalConfig(t *testing.T, built string) {
	t.Helper()
	if strings.Contains(built, "never-deployed") {
		t.Errorf("a local-config item was built:\n%s", built)
	}
	if !regexp.MustCompile(`name: settings-[a-z0-9]{10}\n`).MatchString(built) {
		t.Errorf("a generated ConfigMap lost its hash:\n%s", built)
	}
	if !strings.Contains(built, "name: plain\n") {
		t.Errorf("a ConfigMap without a hash got one:\n%s", built)
	}
}

func hasNoInternalAnnotations(t *testing.T, built string) {
	t.Helper()
	for _, annotation := range []string{
		"internal.config.kubernetes.io/", "config.kubernetes.io/index", "config.kubernetes.io/path",
		"kustomize.config.k8s.io/", "config.k8s.io/id", "alpha.config.kubernetes.io/",
	} {
		if strings.Contains(built, annotation) {
			t.Errorf("%s was left in the output:\n%s", annotation, built)
		}
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
