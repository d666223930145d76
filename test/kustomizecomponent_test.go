package test

import (
	"path/filepath"
	"strings"
	"testing"

	"pillion.dev/pillion/test/golden"
)

const componentImage = "registry.example.com/pillion:v0.1.0"

// componentWays are the two components in pipelines/kustomize, with the flags of kustomize for each.
var componentWays = []struct {
	component string
	flags     []string
}{
	{"exec", []string{"--enable-alpha-plugins", "--enable-exec"}},
	{"container", []string{"--enable-alpha-plugins"}},
}

// TestKustomizeComponent checks that one line in an overlay adds the sidecar, with the same result for both components,
// and that pillion diff finds nothing to change afterwards.
func TestKustomizeComponent(t *testing.T) {
	for _, way := range componentWays {
		t.Run(way.component, func(t *testing.T) {
			pipeline := componentPipeline(t, way.component)
			if way.component == "container" {
				runByTestImage(t, pipeline, componentImage)
			}
			built := mustRun(t, pipeline, "", kustomize(t), append([]string{"build", "example/overlay"}, way.flags...)...)
			golden.Check(t, filepath.Join(root, "pipelines", "kustomize", ".expected", "overlay.yaml"), built.stdout)
			mustRun(t, pipeline, built.stdout, "pillion", "diff", "--config", "injector/injector.yaml", "--filename", "-")
		})
	}
}

// TestComponentUsesTheSettingsOfTheApp checks that in an overlay without other settings Pillion decides by the
// manifests that are deployed. The injector of the example expects a workload, and fails if Pillion skips it.
func TestComponentUsesTheSettingsOfTheApp(t *testing.T) {
	for claim, set := range map[string]string{
		"a namespace": "namespace: kube-system",
		"a marker":    "commonAnnotations: {pillion.dev/inject: 'false'}",
	} {
		pipeline := componentPipeline(t, "exec")
		app := filepath.Join(pipeline, "example", "production", "kustomization.yaml")
		writeFile(t, app, strings.Replace(readFile(t, app), "namespace: production", set, 1))
		built := run(t, pipeline, "", kustomize(t), "build", "example/overlay", "--enable-alpha-plugins", "--enable-exec")
		if built.exitCode == 0 || !strings.Contains(built.stderr, "TooFewMatches") {
			t.Errorf("%s is not seen:\n%s%s", claim, built.stderr, built.stdout)
		}
	}
}

// TestTransformersUseTheSettingsOfTheirKustomization checks the alternative on the page: transformers instead of the
// Component.
func TestTransformersUseTheSettingsOfTheirKustomization(t *testing.T) {
	pipeline := componentPipeline(t, "exec")
	for list, seen := range map[string]bool{"components: [../../exec]": false, "transformers: [../../exec/function]": true} {
		overlay := filepath.Join(pipeline, "example", "overlay", "kustomization.yaml")
		writeFile(t, overlay, "namespace: kube-system\nresources: [../base]\n"+list+"\n")
		built := run(t, pipeline, "", kustomize(t), "build", "example/overlay", "--enable-alpha-plugins", "--enable-exec")
		if strings.Contains(built.stderr, "TooFewMatches") != seen {
			t.Errorf("%s: the page says that the namespace is seen: %t\n%s%s", list, seen, built.stderr, built.stdout)
		}
	}
}

// TestComponentExampleUsesTheNamespace checks what the README of the example says about namespaces.
func TestComponentExampleUsesTheNamespace(t *testing.T) {
	pkg := copyPackage(t, filepath.Join(root, "examples", "kustomize-component"))
	injector := filepath.Join(pkg, "component", "injector.yaml")
	writeFile(t, injector, strings.Replace(readFile(t, injector), "\nspec:\n", "\nspec:\n  namespaces: {exclude: [production]}\n", 1))
	built := mustRun(t, pkg, "", kustomize(t), "build", "overlay", "--enable-alpha-plugins", "--enable-exec")
	if strings.Contains(built.stdout, "name: envoy") || !strings.Contains(built.stdout, "namespace: production") {
		t.Errorf("the namespace is not excluded:\n%s", built.stdout)
	}
}

// TestDiffFindsASkippedFunction checks that pillion diff fails if kustomize has skipped the function, which it does
// silently and with exit code 0.
func TestDiffFindsASkippedFunction(t *testing.T) {
	pipeline := componentPipeline(t, "exec")
	built := mustRun(t, pipeline, "", kustomize(t), "build", "example/overlay", "--enable-alpha-plugins")
	if built.stdout == "" || built.stderr != "" || strings.Contains(built.stdout, "fluent-bit") {
		t.Fatalf("kustomize does not skip exec functions silently any more; the docs say so:\n%s%s", built.stderr, built.stdout)
	}
	check := run(t, pipeline, built.stdout, "pillion", "diff", "--config", "injector/injector.yaml", "--filename", "-")
	if check.exitCode != 1 || !strings.Contains(check.stdout, "+      - name: fluent-bit\n") {
		t.Errorf("exit code %d, want 1 and what is missing:\n%s%s", check.exitCode, check.stdout, check.stderr)
	}
}

// TestDiffFailsAfterAFailedBuild checks that pillion diff fails for the empty output of a failed build, whose exit code
// a pipe hides.
func TestDiffFailsAfterAFailedBuild(t *testing.T) {
	pipeline := componentPipeline(t, "exec")
	check := run(t, pipeline, "", "pillion", "diff", "--config", "injector/injector.yaml", "--filename", "-")
	if check.exitCode != 2 {
		t.Errorf("exit code %d, want 2:\n%s", check.exitCode, check.stderr)
	}
}

// TestDiffAcceptsGeneratedNames checks that names which kustomize changes after the function are no difference, as
// documented.
func TestDiffAcceptsGeneratedNames(t *testing.T) {
	dir := kustomizeCase(t, "generated-configmap")
	built, said, ok := buildWithExec(t, dir)
	if !ok {
		t.Fatal(said)
	}
	mountsTheGeneratedConfigMap(t, built)
	mustRun(t, dir, built, "pillion", "diff", "--config", "injector.yaml", "--filename", "-")
}

// TestTheCheckOnThePageAcceptsGeneratedNames starts as the page about kustomize does, lets the sidecar use generated
// objects, and checks the result as the page does.
func TestTheCheckOnThePageAcceptsGeneratedNames(t *testing.T) {
	text := readFile(t, filepath.Join(root, "docs", "get-started", "kustomize.md"))
	start, _, _ := strings.Cut(text, "\n## With kubectl")
	page := newPageRunner(t, "get-started/kustomize.md", start)
	for _, block := range commandBlocks(t, start) {
		page.run(t, block)
	}
	injector := filepath.Join(page.dir, "injector.yaml")
	writeFile(t, injector, readFile(t, injector)+`    envFrom: [{secretRef: {name: token}}]
    volumeMounts: [{name: settings, mountPath: /settings}]
  volumes: [{name: settings, configMap: {name: settings}}]
`)
	kustomization := filepath.Join(page.dir, "kustomization.yaml")
	writeFile(t, kustomization, readFile(t, kustomization)+`namePrefix: my-
configMapGenerator: [{name: settings, literals: [a=b]}]
secretGenerator: [{name: token, literals: [a=b]}]
`)
	built := mustRun(t, page.dir, "", kustomize(t), "build", "--enable-alpha-plugins", "--enable-exec", ".").stdout
	if strings.Count(built, "name: my-settings-") != 2 || strings.Count(built, "name: my-token-") != 2 {
		t.Errorf("the sidecar does not use what is generated:\n%s", built)
	}
	mustRun(t, page.dir, built, "pillion", "verify", "-c", "injector.yaml", "-f", "-")
}

// componentPipeline returns a copy of pipelines/kustomize whose overlay uses the component.
func componentPipeline(t *testing.T, component string) string {
	t.Helper()
	pipeline := copyPackage(t, filepath.Join(root, "pipelines", "kustomize"))
	overlay := filepath.Join(pipeline, "example", "overlay", "kustomization.yaml")
	writeFile(t, overlay, strings.Replace(readFile(t, overlay), "- ../../exec", "- ../../"+component, 1))
	return pipeline
}

// TestKustomizeComponentExample checks what the README of the example says about using the component twice, and about a
// Job.
func TestKustomizeComponentExample(t *testing.T) {
	dir := copyPackage(t, filepath.Join(root, "examples", "kustomize-component"))
	base := filepath.Join(dir, "base", "kustomization.yaml")
	writeFile(t, base, readFile(t, base)+"components:\n- ../component\n")
	built := mustRun(t, dir, "", kustomize(t), "build", "overlay", "--enable-alpha-plugins", "--enable-exec")
	if !strings.HasSuffix(built.stderr, "1 workload: 1 unchanged\n") || strings.Count(built.stdout, "name: envoy\n") != 1 {
		t.Errorf("used twice, the component adds the sidecar more than once:\n%s%s", built.stderr, built.stdout)
	}
	job := "apiVersion: batch/v1\nkind: Job\nmetadata: {name: job}\nspec: {template: {spec: {containers: [{name: app, image: app:1}]}}}\n"
	said := run(t, dir, job, "pillion", "diff", "-v", "-c", "component/injector.yaml", "-f", "-").stderr
	if !strings.Contains(said, "RuleMismatch: job/job") {
		t.Errorf("a Job is not skipped by the rules:\n%s", said)
	}
}
