package test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/test/golden"
	"pillion.dev/pillion/test/resourcelist"
)

// TestFluxExampleIsTheExport checks that the example to copy is what the export prints.
func TestFluxExampleIsTheExport(t *testing.T) {
	dir := filepath.Join(root, "pipelines", "flux", "patches")
	exported := mustRun(t, dir, "", "pillion", "export", "flux", "-c", "injector.yaml").stdout
	_, patches, _ := strings.Cut(exported, "\n  patches:\n")
	file := filepath.Join(dir, "apps.yaml")
	head, _, _ := strings.Cut(readFile(t, file), "\n  patches:\n")
	golden.Check(t, file, head+"\n  patches:\n"+patches)
}

// TestFluxArtifact runs the steps of the workflow, and checks that Verify fails for manifests without their sidecars.
func TestFluxArtifact(t *testing.T) {
	bash := tool(t, "bash")
	t.Setenv("PATH", filepath.Dir(kustomize(t))+":"+binDir+":/usr/bin:/bin")
	dir := copyPackage(t, filepath.Join(root, "pipelines", "flux", "artifact"))
	steps := workflowSteps(t, filepath.Join(dir, "render.yaml"))
	mustRun(t, dir, "", bash, "-e", "-c", steps["Render"])
	mustRun(t, dir, "", bash, "-e", "-c", steps["Verify"])

	rendered := filepath.Join(dir, "rendered", "manifests.yaml")
	good := readFile(t, rendered)
	for claim, text := range map[string]string{
		"another image":   strings.Replace(good, "fluent-bit:3.2.4", "fluent-bit:3.2.5", 1),
		"no sidecar":      readFile(t, filepath.Join(dir, "app", "deployment.yaml")),
		"another sidecar": strings.Replace(good, "containerPort: 2020", "containerPort: 2021", 1),
	} {
		writeFile(t, rendered, text)
		if r := run(t, dir, "", bash, "-e", "-c", steps["Verify"]); r.exitCode == 0 {
			t.Errorf("%s passes:\n%s", claim, r.stdout)
		}
	}
	writeFile(t, rendered, good)
	if r := run(t, dir, "", bash, "-e", "-c", strings.ReplaceAll(steps["Verify"], "--enable-exec", "")); r.exitCode == 0 {
		t.Errorf("it passes although Pillion was not started:\n%s", r.stdout)
	}
}

// TestFluxWorkflowPushes runs the steps of the job with write permissions. Stand-ins for docker and flux print their
// arguments: the registry must be that of ARTIFACT, and no command may contain the token.
func TestFluxWorkflowPushes(t *testing.T) {
	bash := tool(t, "bash")
	file := filepath.Join(root, "pipelines", "flux", "artifact", "render.yaml")
	steps, bin := workflowSteps(t, file), t.TempDir()
	for name, script := range steps {
		if strings.Contains(script, "${{") {
			t.Errorf("%s: an expression in a script is run as part of it; give it as a variable:\n%s", name, script)
		}
	}
	for _, name := range []string{"docker", "flux"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\necho \"$(basename \"$0\") $*\"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, value := range map[string]string{
		"PATH": bin + ":/usr/bin:/bin", "ARTIFACT": "oci://registry.example.com:5000/shop/manifests",
		"REGISTRY_USER": "ci", "REGISTRY_TOKEN": "secret",
		"GITHUB_SHA": "0123456789abcdef", "GITHUB_SERVER_URL": "https://git.example.com", "GITHUB_REPOSITORY": "shop/app",
	} {
		t.Setenv(name, value)
	}
	got := mustRun(t, "", "", bash, "-e", "-c", steps["Log in"]+steps["Push"]).stdout
	const artifact = "oci://registry.example.com:5000/shop/manifests:0123456"
	want := "docker login registry.example.com:5000 --username ci --password-stdin\n" +
		"flux push artifact " + artifact + " --path rendered --source https://git.example.com/shop/app --revision main@sha1:0123456789abcdef\n" +
		"flux tag artifact " + artifact + " --tag main\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("it runs something else (-want +got):\n%s", diff)
	}
}

// TestFluxAppliesTheArtifactAsItIs builds the rendered manifests as Flux does, with the Kustomization for the cluster.
func TestFluxAppliesTheArtifactAsItIs(t *testing.T) {
	program := fluxbuild(t)
	dir := copyPackage(t, filepath.Join(root, "pipelines", "flux", "artifact"))
	built := mustRun(t, dir, "", kustomize(t), "build", "--enable-alpha-plugins", "--enable-exec", "app").stdout
	source := t.TempDir()
	writeFile(t, filepath.Join(source, "manifests.yaml"), built)
	writeFile(t, filepath.Join(source, "kustomization.yaml"), "resources: [manifests.yaml]\n")
	objects := resourcelist.Documents(readFile(t, filepath.Join(dir, "flux.yaml")))
	file := filepath.Join(dir, "kustomization-of-flux.yaml")
	writeFile(t, file, objects[len(objects)-1])
	if diff := cmp.Diff(built, mustRun(t, dir, "", program, source, source, file).stdout); diff != "" {
		t.Errorf("Flux makes something else of it (-rendered +flux):\n%s", diff)
	}
}

// workflowSteps returns the commands of a job in a GitHub workflow by the names of its steps.
func workflowSteps(t *testing.T, file string) map[string]string {
	t.Helper()
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct{ Name, Run string }
		}
	}
	if err := yaml.Unmarshal([]byte(readFile(t, file)), &workflow); err != nil {
		t.Fatal(err)
	}
	steps := map[string]string{}
	for _, job := range workflow.Jobs {
		for _, step := range job.Steps {
			steps[step.Name] = step.Run
		}
	}
	return steps
}

// TestFluxPage runs the commands of docs/get-started/flux.md, one after another in one directory.
func TestFluxPage(t *testing.T) {
	bash := tool(t, "bash")
	t.Setenv("PATH", filepath.Dir(kustomize(t))+":"+binDir+":/usr/bin:/bin")
	path := filepath.Join(root, "docs", "get-started", "flux.md")
	page := readFile(t, path)
	updated := page
	dir := t.TempDir()
	blocks := commandBlocks(t, page)
	if len(blocks) == 0 {
		t.Fatal("the page has no commands")
	}
	for _, block := range blocks {
		if block.language == "console" {
			updated = strings.Replace(updated, block.text, readmeBlock{text: block.text, console: true}.run(t, dir), 1)
			continue
		}
		mustRun(t, dir, "", bash, "-e", "-o", "pipefail", "-c", block.text)
	}
	golden.Check(t, path, updated)
	refused := readFile(t, filepath.Join(root, "examples", "opt-in", "injector.yaml"))
	config := filepath.Join(dir, "opt-in.yaml")
	writeFile(t, config, refused)
	said := run(t, dir, "", "pillion", "export", "flux", "-c", config).stderr
	if line, _, _ := strings.Cut(said, "\n"); !strings.Contains(page, line) {
		t.Errorf("the page does not show what is said:\n%s", cmp.Diff("", line))
	}
}
