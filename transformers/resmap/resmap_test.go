package resmap_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	kustomize "sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	pillion "pillion.dev/pillion/transformers/resmap"
)

const injector = `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata:
  name: logs
  annotations:
    config.kubernetes.io/function: |
      exec: {path: PROGRAM}
spec:
  selector:
    matchLabels: {logs: "yes"}
  podSpec: {priorityClassName: low}
  containers:
  - name: logs
    image: fluent-bit:3.2 # pinned
    env:
    - {name: LEVEL, value: "on"}
  volumes:
  - name: buffer
    emptyDir: {}
`

// files are a base with what the text of an object can look like, and an overlay that renames, labels and patches.
var files = map[string]string{
	"base/kustomization.yaml": "resources: [web.yaml, more.yaml]\n",
	"base/web.yaml": `# Copyright of the shop.

# The shop's front.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web, logs: "yes"}
    spec:
      # the app comes first
      containers:
      - name: web # the app
        image: "nginx:1.27"
        command: ['sh', '-c', 'echo "hi"']
`,
	"base/more.yaml": `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "lone", "labels": {"logs": "yes"}},
  "spec": {"containers": [{"name": "app", "image": "app"}]}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: job}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: job, image: job}]}}}
`,
	"overlay/kustomization.yaml": `resources: [../base]
namespace: shop
namePrefix: eu-
configMapGenerator:
- name: logs
  literals: [level=debug]
patches:
- target: {kind: Deployment}
  patch: |-
    - {op: add, path: /spec/replicas, value: 3}
`,
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// build runs kustomize on a directory, as its command line does with --enable-alpha-plugins and --enable-exec.
func build(t *testing.T, dir string) resmap.ResMap {
	t.Helper()
	options := krusty.MakeDefaultOptions()
	options.PluginConfig = kustomize.EnabledPluginConfig(kustomize.BploUseStaticallyLinked)
	options.PluginConfig.FnpLoadingOptions.EnableExec = true
	built, err := krusty.MakeKustomizer(options).Run(filesys.MakeFsOnDisk(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return built
}

func printed(t *testing.T, resources resmap.ResMap) string {
	t.Helper()
	text, err := resources.AsYaml()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestThePluginWritesWhatTheFunctionWrites compares a build with the program as an exec function with the same build
// without it, to which the plugin is applied, after kustomize's own printing.
func TestThePluginWritesWhatTheFunctionWrites(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "pillion")
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", program, "pillion.dev/pillion").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	write(t, dir, files)
	built := build(t, filepath.Join(dir, "overlay"))

	withFunction := files["overlay/kustomization.yaml"] + "transformers: [injector.yaml]\n"
	write(t, dir, map[string]string{
		"overlay/kustomization.yaml": withFunction,
		"overlay/injector.yaml":      strings.Replace(injector, "PROGRAM", program, 1),
	})
	want := printed(t, build(t, filepath.Join(dir, "overlay")))
	if !strings.Contains(want, "fluent-bit") {
		t.Fatalf("the function has injected nothing:\n%s", want)
	}

	var plugin pillion.Plugin
	if err := plugin.Config(nil, []byte(injector)); err != nil {
		t.Fatal(err)
	}
	if err := plugin.Transform(built); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, printed(t, built)); diff != "" {
		t.Errorf("(-function +plugin):\n%s", diff)
	}
	if got := plugin.Report.Counts; got[decision.Injected] != 2 || got[decision.Skipped] != 1 {
		t.Error(got)
	}
	if err := plugin.Transform(built); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, printed(t, built)); diff != "" {
		t.Errorf("a second run changes something:\n%s", diff)
	}
}

func TestAWrongConfigIsAnError(t *testing.T) {
	var plugin pillion.Plugin
	err := plugin.Config(nil, []byte(strings.Replace(injector, "selector:", "selektor:", 1)))
	if err == nil || !strings.Contains(err.Error(), "selektor") {
		t.Error(err)
	}
}

func TestWarningsAboutTheConfigAreInTheReport(t *testing.T) {
	const set = `apiVersion: apps.kruise.io/v1alpha1
kind: SidecarSet
metadata: {name: logs}
spec:
  selector: {matchLabels: {logs: "yes"}}
  updateStrategy: {type: RollingUpdate}
  containers:
  - {name: logs, image: "fluent-bit:3.2"}
`
	dir := t.TempDir()
	write(t, dir, files)
	var plugin pillion.Plugin
	if err := plugin.Config(nil, []byte(set)); err != nil {
		t.Fatal(err)
	}
	if err := plugin.Transform(build(t, filepath.Join(dir, "base"))); err != nil {
		t.Fatal(err)
	}
	if findings := plugin.Report.Findings; len(findings) < 2 || findings[0].Code != finding.FieldIgnored {
		t.Error(findings)
	}
	if err := plugin.Transform(nil); err != nil || len(plugin.Report.Findings) > 0 {
		t.Error("the report is that of an earlier call", err, plugin.Report.Findings)
	}
}

func TestAnErrorLeavesTheResourcesAlone(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, files)
	built := build(t, filepath.Join(dir, "base"))
	before := printed(t, built)
	var plugin pillion.Plugin
	if err := plugin.Config(nil, []byte(strings.Replace(injector, "- name: logs\n", "- name: app\n", 1))); err != nil {
		t.Fatal(err)
	}
	if err := plugin.Transform(built); err == nil || !strings.Contains(err.Error(), "ContainerConflict") {
		t.Errorf("%v", err)
	}
	if diff := cmp.Diff(before, printed(t, built)); diff != "" {
		t.Errorf("the resources have changed:\n%s", diff)
	}
}
