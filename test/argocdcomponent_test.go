package test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/internal/edge/kustomization"
)

// TestTheArgoCDComponentsAreOnlyYAML checks that users copy no sources into their repository, and that the copies are
// complete.
func TestTheArgoCDComponentsAreOnlyYAML(t *testing.T) {
	page := readFile(t, filepath.Join(root, "docs", "get-started", "argocd.md"))
	for name, inPage := range map[string]string{
		"component": `cp -r "$PILLION/pipelines/argocd/component" pillion`,
		"plugin":    "Copy\n`pipelines/argocd/plugin` instead of `component`",
	} {
		if !strings.Contains(page, inPage) {
			t.Errorf("docs/get-started/argocd.md does not have %q", inPage)
		}
		component := filepath.Join(root, "pipelines", "argocd", name)
		entries, err := os.ReadDir(component)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			if filepath.Ext(entry.Name()) != ".yaml" {
				t.Errorf("%s is not YAML", entry.Name())
			}
		}
		if built := withComponent(t, component, ""); !strings.Contains(built, "image: pillion-argocd:") {
			t.Errorf("%s builds\n%s", name, built)
		}
	}
}

// TestTheArgoCDComponentNamesKustomize checks that Applications can set kustomize.version: pillion.
func TestTheArgoCDComponentNamesKustomize(t *testing.T) {
	built := withComponent(t, filepath.Join(root, "pipelines", "argocd", "component"),
		"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: argocd-cm}\n")
	if !strings.Contains(built, "kustomize.path.pillion: /pillion/kustomize\n") {
		t.Error(built)
	}
}

// TestTheArgoCDValuesAreTheComponent checks that the values for argo-helm on the page do what the component does.
func TestTheArgoCDValuesAreTheComponent(t *testing.T) {
	page := readFile(t, filepath.Join(root, "docs", "get-started", "argocd.md"))
	_, values, isThere := strings.Cut(page, "\n```yaml\nconfigs:\n  cm:\n    kustomize.path.pillion: /pillion/kustomize\n")
	if !isThere {
		t.Fatal("docs/get-started/argocd.md has no values")
	}
	values, _, _ = strings.Cut(values, "```")
	type container struct{ Env, VolumeMounts any }
	var chart struct {
		RepoServer struct {
			container
			InitContainers, Volumes any
		}
	}
	var component struct {
		Spec struct {
			Template struct {
				Spec struct {
					InitContainers, Volumes any
					Containers              []container
				}
			}
		}
	}
	patch := readFile(t, filepath.Join(root, "pipelines", "argocd", "component", "repo-server.yaml"))
	patch = strings.ReplaceAll(patch, "image: pillion-argocd:", "image: registry.example.com/pillion-argocd:")
	if err := errors.Join(yaml.Unmarshal([]byte(values), &chart), yaml.Unmarshal([]byte(patch), &component)); err != nil {
		t.Fatal(err)
	}
	pod := component.Spec.Template.Spec
	want := []any{pod.InitContainers, pod.Volumes, pod.Containers[0].Env, pod.Containers[0].VolumeMounts}
	got := []any{chart.RepoServer.InitContainers, chart.RepoServer.Volumes, chart.RepoServer.Env, chart.RepoServer.VolumeMounts}
	if diff := cmp.Diff(want, got); diff != "" || pod.InitContainers == nil {
		t.Errorf("the values differ from the component:\n%s", diff)
	}
}

// withComponent builds a repo server and other manifests with a component.
func withComponent(t *testing.T, component, others string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "pillion"), os.DirFS(component)); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"kustomization.yaml": "resources: [install.yaml]\ncomponents: [pillion]\n",
		"install.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: argocd-repo-server}\n" +
			"spec: {template: {spec: {containers: [{name: argocd-repo-server, image: argocd}]}}}\n" + others,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	built, err := kustomization.NewDisk(nil).Build(dir)
	if err != nil {
		t.Fatal(err)
	}
	return string(built)
}
