package test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/kustomization"
)

// TestTheArgoCDComponentIsOnlyYAML checks that users copy no sources into their repository, and that the copy is complete.
func TestTheArgoCDComponentIsOnlyYAML(t *testing.T) {
	component := filepath.Join(root, "pipelines", "argocd", "component")
	page := readFile(t, filepath.Join(root, "docs", "get-started", "argocd.md"))
	if !strings.Contains(page, `cp -r "$PILLION/pipelines/argocd/component" pillion`) {
		t.Error("docs/get-started/argocd.md copies another directory")
	}
	entries, err := os.ReadDir(component)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) != ".yaml" {
			t.Errorf("%s is not YAML", entry.Name())
		}
	}
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "pillion"), os.DirFS(component)); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"kustomization.yaml": "resources: [install.yaml]\ncomponents: [pillion]\n",
		"install.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: argocd-repo-server}\n" +
			"spec: {template: {spec: {containers: [{name: argocd-repo-server, image: argocd}]}}}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if built, err := kustomization.Build(dir); err != nil || !strings.Contains(string(built), "image: pillion-argocd:") {
		t.Errorf("%v\n%s", err, built)
	}
}
