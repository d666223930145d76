package test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/test/golden"
)

// TestAuditPage runs every command of docs/how-to/audit.md, with a kubectl that prints the objects of testdata/audit. A
// console block must show what its commands print, and the other commands must succeed, or fail as the page says.
func TestAuditPage(t *testing.T) {
	path := filepath.Join(root, "docs", "how-to", "audit.md")
	text := readFile(t, path)
	dir := auditedCluster(t, text)
	updated := text
	for _, block := range readmeBlocks(text) {
		updated = strings.Replace(updated, block.text, block.run(t, dir), 1)
	}
	golden.Check(t, path, updated)
	for _, block := range fencedBlocks(t, text) {
		switch block.language {
		case "sh":
			runAuditBlock(t, dir, block.text)
		case "sh watcher":
			runWatcherBlock(t, block.text)
		}
	}
}

// runWatcherBlock runs a block of commands in a directory with a copy of pipelines/audit.
func runWatcherBlock(t *testing.T, script string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "pipelines", "audit"), os.DirFS(filepath.Join(root, "pipelines", "audit"))); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", os.Getenv("PATH")+string(os.PathListSeparator)+filepath.Dir(kustomize(t)))
	mustRun(t, dir, "", tool(t, "bash"), "--noprofile", "--norc", "-e", "-u", "-o", "pipefail", "-c", script)
}

// runAuditBlock runs a block of commands. Its last command may find that pods are not current, which is exit code 1.
func runAuditBlock(t *testing.T, dir, script string) {
	t.Helper()
	got := run(t, dir, "", tool(t, "bash"), "--noprofile", "--norc", "-e", "-u", "-c", script)
	if got.exitCode > 1 || got.stdout == "" && got.exitCode != 0 {
		t.Errorf("%s: exit code %d\n%s%s", script, got.exitCode, got.stdout, got.stderr)
	}
}

// auditedCluster returns a directory with the injector of the page, beside a cluster that kubectl reads.
func auditedCluster(t *testing.T, page string) string {
	t.Helper()
	dir, cluster := t.TempDir(), t.TempDir()
	blocks := fencedBlocks(t, page)
	config := blocks[slices.IndexFunc(blocks, func(b fencedBlock) bool { return b.language == "yaml" })].text
	objects := strings.Split(readFile(t, filepath.Join("testdata", "audit", "cluster.yaml")), "\n---\n")
	for name, text := range map[string]string{
		filepath.Join(dir, "injectors.yaml"): config,
		filepath.Join(cluster, "all.json"):   kubectlList(t, objects),
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	script := readFile(t, filepath.Join("testdata", "audit", "kubectl"))
	if err := os.WriteFile(filepath.Join(cluster, "kubectl"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CLUSTER", cluster)
	t.Setenv("PATH", cluster+string(os.PathListSeparator)+os.Getenv("PATH"))
	return dir
}

// kubectlList returns objects in YAML as the List that kubectl prints.
func kubectlList(t *testing.T, objects []string) string {
	t.Helper()
	list := struct {
		APIVersion string            `json:"apiVersion"`
		Kind       string            `json:"kind"`
		Items      []json.RawMessage `json:"items"`
	}{APIVersion: "v1", Kind: "List"}
	for _, object := range objects {
		item, err := yaml.YAMLToJSON([]byte(object))
		if err != nil {
			t.Fatal(err)
		}
		list.Items = append(list.Items, item)
	}
	text, err := json.MarshalIndent(list, "", "    ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
