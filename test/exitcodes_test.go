package test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExitCodes checks the tables of docs/reference/cli.md. The script interrupt.txtar of package command checks 130.
func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "docs", "shop"))); err != nil {
		t.Fatal(err)
	}
	injector := readFile(t, filepath.Join(dir, "injector.yaml"))
	write := func(name, text string) { writeFile(t, filepath.Join(dir, name), text) }
	deployment := readFile(t, filepath.Join(dir, "deployment.yaml"))
	write("taken.yaml", strings.Replace(deployment, "- name: web", "- name: fluent-bit", 1))
	write("none.yaml", strings.Replace(injector, "spec:\n", "spec:\n  names: [nobody]\n  expect: {min: 0}\n", 1))
	write("wrong.yaml", strings.Replace(injector, "containers:", "contaners:", 1))
	write("pod.json", `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "namespace": "shop", "uid": "1"},
		"spec": {"containers": [{"name": "web", "image": "nginx"}]}}`)
	write("current.json", `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "namespace": "shop", "uid": "1"},
		"spec": {"containers": [{"name": "web", "image": "nginx"}],
			"initContainers": [{"name": "fluent-bit", "image": "fluent/fluent-bit:3.2.4", "restartPolicy": "Always"}]}}`)
	for _, c := range []struct {
		command string
		want    int
	}{
		{"inject -c injector.yaml -f deployment.yaml", 0},
		{"inject -c injector.yaml -f taken.yaml", 1},
		{"inject -c injector.yaml -f taken.yaml -f k8s --keep-going", 1},
		{"inject -c wrong.yaml -f deployment.yaml", 1},
		{"remove -c injector.yaml -f deployment.yaml", 0},
		{"remove -c injector.yaml -f missing.yaml", 1},
		{"validate -c injector.yaml", 0},
		{"validate -c wrong.yaml", 1},
		{"export flux -c injector.yaml", 0},
		{"export flux -c wrong.yaml", 1},
		{"init --file first.yaml", 0},
		{"init --file first.yaml", 1},
		{"schema", 0},
		{"schema --format none", 1},
		{"diff -c none.yaml -f deployment.yaml", 0},
		{"diff -c injector.yaml -f deployment.yaml", 1},
		{"diff -c injector.yaml -f taken.yaml", 2},
		{"verify -c none.yaml -f deployment.yaml", 0},
		{"verify -c injector.yaml -f deployment.yaml", 1},
		{"verify -c injector.yaml -f taken.yaml", 2},
		{"test tests", 0},
		{"test -c none.yaml tests", 1},
		{"test -c wrong.yaml tests", 2},
		{"audit -c injector.yaml -f current.json", 0},
		{"audit -c injector.yaml -f pod.json", 1},
		{"audit -c injector.yaml -f deployment.yaml", 2},
		{"audit -c wrong.yaml -f pod.json", 2},
		{"explain -c injector.yaml -f taken.yaml", 0},
		{"explain -c wrong.yaml -f deployment.yaml", 1},
		{"explain -c injector.yaml -f missing.yaml", 1},
	} {
		if got := run(t, dir, "", "pillion", strings.Fields(c.command)...); got.exitCode != c.want {
			t.Errorf("pillion %s: exit code %d, want %d\n%s", c.command, got.exitCode, c.want, got.stderr)
		}
	}
}

// TestExitCodesOfTheFunction checks the table for the function.
func TestExitCodesOfTheFunction(t *testing.T) {
	list := func(container string) string {
		return `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: v1
  kind: Pod
  metadata: {name: web}
  spec: {containers: [{name: ` + container + `, image: nginx}]}
functionConfig:
  apiVersion: pillion.dev/v1alpha1
  kind: SidecarInjector
  metadata: {name: logs}
  spec: {containers: [{name: fluent-bit, image: "fluent/fluent-bit:3.2.4"}]}
`
	}
	if got := run(t, t.TempDir(), list("web"), "pillion"); got.exitCode != 0 || !strings.Contains(got.stdout, "pillion.dev/injected-logs") {
		t.Errorf("exit code %d\n%s", got.exitCode, got.stdout)
	}
	got := run(t, t.TempDir(), list("fluent-bit"), "pillion")
	if got.exitCode != 1 || !strings.Contains(got.stdout, "[{name: fluent-bit, image: nginx}]") || !strings.Contains(got.stdout, "results:") {
		t.Errorf("exit code %d\n%s", got.exitCode, got.stdout)
	}
	if got := run(t, t.TempDir(), "no list", "pillion"); got.exitCode != 1 || got.stdout != "" {
		t.Errorf("exit code %d\n%s", got.exitCode, got.stdout)
	}
}
