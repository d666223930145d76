package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	web = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  template:
    spec:
      containers:
      - name: web
        image: nginx:1.27
`
	logs = `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata:
  name: logs
spec:
  containers:
  - name: logs
    image: fluent/fluent-bit:3.2.4
`
)

// envoy is an injector of the platform.
var envoy = strings.ReplaceAll(logs, "logs", "envoy")

// runIn runs the program in a directory of these files.
func runIn(t *testing.T, files map[string]string, args ...string) (out, said string, err error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	var stdout, stderr strings.Builder
	err = run(args, &stdout, &stderr)
	return stdout.String(), stderr.String(), err
}

func TestGenerate(t *testing.T) {
	for _, test := range []struct {
		name       string
		files      map[string]string
		parameters string
		deployment string
	}{
		{
			name:       "a directory comes out without the config",
			files:      map[string]string{"web.yaml": web, configName: logs},
			deployment: "name: web",
		},
		{
			name:       "a directory below is looked into when asked",
			files:      map[string]string{"below/web.yaml": web, configName: logs},
			parameters: `[{"name":"recurse","string":"true"}]`,
			deployment: "name: web",
		},
		{
			name:       "a kustomization is built",
			files:      map[string]string{"web.yaml": web, configName: logs, "kustomization.yaml": "namePrefix: shop-\nresources: [web.yaml]\n"},
			deployment: "name: shop-web",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("ARGOCD_APP_PARAMETERS", test.parameters)
			out, said, err := runIn(t, test.files, "generate")
			if err != nil {
				t.Fatal(err, said)
			}
			for _, want := range []string{test.deployment, "name: logs", "image: fluent/fluent-bit:3.2.4"} {
				if !strings.Contains(out, want) {
					t.Errorf("%q is not in\n%s", want, out)
				}
			}
			if strings.Contains(out, "SidecarInjector") {
				t.Errorf("the config is among the manifests:\n%s", out)
			}
		})
	}
}

func TestGenerateForTheNamespaceOfTheApplication(t *testing.T) {
	config := logs + "  namespaces: {include: [team-*]}\n"
	for namespace, want := range map[string]bool{"team-shop": true, "bank": false, "": false} {
		for renderer, kustomization := range map[string]string{"plain": "", "kustomize": "resources: [web.yaml]\n"} {
			t.Run(renderer+" in "+namespace, func(t *testing.T) {
				t.Setenv("ARGOCD_APP_NAMESPACE", namespace)
				files := map[string]string{"web.yaml": web, configName: config}
				if kustomization != "" {
					files["kustomization.yaml"] = kustomization
				}
				out, said, err := runIn(t, files, "generate")
				if err != nil || strings.Contains(out, "name: logs") != want || strings.Contains(out, "namespace:") {
					t.Errorf("want a sidecar: %t\n%v\n%s%s", want, err, said, out)
				}
				if strings.Contains(said, "NamespaceUnknown") != (namespace == "") {
					t.Errorf("says\n%s", said)
				}
			})
		}
	}
}

func TestGenerateNothing(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"a directory with a config alone":   {configName: logs},
		"a kustomization without resources": {configName: logs, "kustomization.yaml": "resources: []\n"},
	} {
		t.Run(name, func(t *testing.T) {
			out, said, err := runIn(t, files, "generate")
			if err != nil || strings.Contains(out, "kind:") {
				t.Errorf("gives %v, prints %q and says %q", err, out, said)
			}
		})
	}
}

// TestGenerateStaysInTheRepository claims that a kustomization reads nothing beside the application's repository,
// neither by its path nor by a link.
func TestGenerateStaysInTheRepository(t *testing.T) {
	t.Setenv("ARGOCD_APP_SOURCE_PATH", "apps/shop")
	for name, resources := range map[string]string{"by its path": "../../../outside", "by a link": "../../link", "inside": "../base"} {
		t.Run(name, func(t *testing.T) {
			app := shop(t)
			outside, base := filepath.Join(app.root, "..", "outside"), filepath.Join(app.root, "apps", "base")
			for _, dir := range []string{outside, base} {
				if err := os.Mkdir(dir, 0o755); err != nil {
					t.Fatal(err)
				}
				write(t, filepath.Join(dir, "web.yaml"), web)
				write(t, filepath.Join(dir, "kustomization.yaml"), "resources: [web.yaml]\n")
			}
			if err := os.Symlink(outside, filepath.Join(app.root, "link")); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(app.dir, configName), logs)
			write(t, filepath.Join(app.dir, "kustomization.yaml"), "resources: ["+resources+"]\n")
			t.Chdir(app.dir)
			var out, said strings.Builder
			err := run([]string{"generate"}, &out, &said)
			if name == "inside" {
				if err != nil || !strings.Contains(out.String(), "name: logs") {
					t.Errorf("gives %v, prints %q", err, &out)
				}
				return
			}
			if err == nil || out.Len() > 0 || !strings.Contains(err.Error(), "leads out of the repository") {
				t.Errorf("gives %v, prints %q", err, &out)
			}
		})
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestGenerateReportsErrors(t *testing.T) {
	conflicting := strings.Replace(logs, "- name: logs", "- name: web", 1)
	out, said, err := runIn(t, map[string]string{"web.yaml": web, configName: conflicting}, "generate")
	if err == nil || out != "" || !strings.Contains(said, "ContainerConflict") {
		t.Errorf("a refusal gives %v, prints %q and says %q", err, out, said)
	}
}

func TestMatch(t *testing.T) {
	t.Run("an application without a config is not for it", func(t *testing.T) {
		if out, _, err := runIn(t, map[string]string{"web.yaml": web}, "match"); out != "" || err != nil {
			t.Errorf("printed %q, %v", out, err)
		}
	})
	t.Run("one with a config is", func(t *testing.T) {
		if out, _, err := runIn(t, map[string]string{configName: logs}, "match"); out == "" || err != nil {
			t.Errorf("printed %q, %v", out, err)
		}
	})
	t.Run("one that names the plugin is", func(t *testing.T) {
		t.Setenv("ARGOCD_APP_PARAMETERS", `[{"name":"misspelt"}]`)
		if out, _, err := runIn(t, map[string]string{"web.yaml": web}, "match"); out == "" || err != nil {
			t.Errorf("printed %q, %v", out, err)
		}
	})
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{nil, {"render"}, {"generate", "-c", "x.yaml"}} {
		if err := run(args, nil, nil); err == nil || !strings.Contains(err.Error(), "usage:") {
			t.Errorf("%q gives %v", args, err)
		}
	}
}
