package test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/test/golden"
)

const catalogImage = "ghcr.io/pillion/pillion:v0.1"

// catalogCase is `.expected/config.yaml` of an example in the kpt function catalog.
type catalogCase struct {
	TestType string `json:"testType"`
	Image    string `json:"image"`
	FnConfig string `json:"fnConfig"`
	ExitCode int    `json:"exitCode"`
}

// TestKptCatalog runs the examples of the catalog entry as the runner of the catalog does: each twice, in a repository,
// compared with the expected diff, or with the expected results if it has to fail. The runner uses the image; here the
// examples also run with the program.
func TestKptCatalog(t *testing.T) {
	examples, err := filepath.Glob(filepath.Join(root, "pipelines", "kpt", "examples", "*"))
	if err != nil || len(examples) == 0 {
		t.Fatalf("no examples, %v", err)
	}
	for _, dir := range examples {
		for _, way := range []string{"exec", "image"} {
			t.Run(filepath.Base(dir)+"/"+way, func(t *testing.T) { runCatalogExample(t, dir, way) })
		}
	}
}

func runCatalogExample(t *testing.T, dir, way string) {
	kpt := tool(t, "kpt")
	expected := filepath.Join(dir, ".expected")
	want := catalogCaseOf(t, filepath.Join(expected, "config.yaml"))
	pkg := copyPackage(t, dir)
	if way == "exec" {
		runByProgram(t, pkg)
	} else {
		runByTestImage(t, pkg, catalogImage)
		want.Image = strings.Replace(want.Image, catalogImage, testImage, 1)
	}
	gitRepository(t, pkg)

	for range 2 {
		results := t.TempDir()
		r := run(t, pkg, "", kpt, append(want.args(way), "--results-dir", results)...)
		if r.exitCode != want.ExitCode {
			t.Fatalf("exit code %d, want %d:\n%s%s", r.exitCode, want.ExitCode, r.stdout, r.stderr)
		}
		if want.ExitCode != 0 {
			said := readFile(t, filepath.Join(results, "results.yaml"))
			golden.Check(t, filepath.Join(expected, "results.yaml"), imageResults.Replace(said))
		}
		mustRun(t, pkg, "", "git", "add", "--all")
		diff := mustRun(t, pkg, "", "git", "diff", "--cached", "--no-color", "--no-ext-diff").stdout
		if want.ExitCode != 0 && diff != "" {
			t.Errorf("it failed, and changed files:\n%s", diff)
		} else if want.ExitCode == 0 {
			golden.Check(t, filepath.Join(expected, "diff.patch"), strings.ReplaceAll(diff, testImage, catalogImage))
		}
	}
}

// imageResults replaces the name of the image, and the two places where kpt writes the results of a program differently
// from those of an image.
var imageResults = strings.NewReplacer("exec: pillion", "image: "+catalogImage, "stderr: |\n", "stderr: |-\n", testImage, catalogImage)

func catalogCaseOf(t *testing.T, path string) catalogCase {
	t.Helper()
	var c catalogCase
	text, err := os.ReadFile(path)
	if err == nil {
		err = yaml.UnmarshalStrict(text, &c)
	}
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return c
}

// args returns the arguments for kpt. Nothing is pulled, because the image is not in a registry yet.
func (c catalogCase) args(way string) []string {
	args := []string{"fn", "render"}
	if c.TestType == "eval" {
		args = []string{"fn", "eval", "--fn-config", c.FnConfig}
	}
	switch {
	case way == "image" && c.TestType == "eval":
		args = append(args, "--image", c.Image)
	case c.TestType == "eval":
		return append(args, "--exec", "pillion")
	case way == "exec":
		return append(args, "--allow-exec")
	}
	return append(args, "--image-pull-policy", "never")
}

// runByProgram replaces the image in a Kptfile, if there is one, by the program.
func runByProgram(t *testing.T, pkg string) {
	t.Helper()
	kptfile := filepath.Join(pkg, "Kptfile")
	if _, err := os.Stat(kptfile); err == nil {
		writeFile(t, kptfile, strings.ReplaceAll(readFile(t, kptfile), "image: "+catalogImage, "exec: pillion"))
	}
}

// TestKptCatalogEntry checks that the entry is complete and fits the catalog, which takes no other fields and no images
// of other registries. It names every example, and the config of each validator differs from that of its mutator only
// in the action.
func TestKptCatalogEntry(t *testing.T) {
	catalog := filepath.Join(root, "pipelines", "kpt")
	metadata := readFile(t, filepath.Join(catalog, "pillion", "metadata.yaml"))
	var fields struct {
		Image, Description, SourceURL, License string
		Tags, ExamplePackageURLs               []string
		Hidden                                 bool
	}
	if err := yaml.UnmarshalStrict([]byte(metadata), &fields); err != nil {
		t.Error(err)
	}
	if name, _, _ := strings.Cut(catalogImage, ":"); fields.Image != name || !strings.HasPrefix(name, "ghcr.io/") {
		t.Errorf("the entry names the image %s, and the examples use %s", fields.Image, name)
	}
	readme := readFile(t, filepath.Join(catalog, "pillion", "README.md"))
	for _, marker := range []string{
		"<!--mdtogo:Short-->", "<!--mdtogo:Long-->", "<!--mdtogo:Examples-->", "## Overview", "## Usage", "### FunctionConfig",
	} {
		if !strings.Contains(readme, marker) {
			t.Errorf("the README has no %s", marker)
		}
	}
	examples, _ := filepath.Glob(filepath.Join(catalog, "examples", "*"))
	for _, example := range examples {
		name := filepath.Base(example)
		if !strings.Contains(metadata, "/"+name+"\n") || !strings.Contains(readme, "/"+name+")") {
			t.Errorf("%s is not in metadata.yaml, or not in the README", name)
		}
	}
	simple := filepath.Join(catalog, "examples", "pillion-simple")
	injector, verify := readFile(t, filepath.Join(simple, "injector.yaml")), readFile(t, filepath.Join(simple, "verify.yaml"))
	if strings.Replace(verify, "  action: Verify\n", "", 1) != injector {
		t.Error("verify.yaml is not injector.yaml with action: Verify")
	}
}
