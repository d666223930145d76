package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestRepositoryOf(t *testing.T) {
	for _, test := range []struct{ name, dir, path, want string }{
		{"the path's names are taken away", "/tmp/work/apps/shop", "apps/shop", "/tmp/work"},
		{"a source at the top is its repository", "/tmp/work", ".", "/tmp/work"},
		{"a part of the repository begins later", "/tmp/work/shop", "apps/shop", "/tmp/work"},
		{"an unclean path is the same", "/tmp/work/apps/shop", "./apps//shop/", "/tmp/work"},
		{"names that are not the directory's take nothing away", "/tmp/work", "apps/shop", "/tmp/work"},
		{"without a path it is the directory", "/tmp/work", "", "/tmp/work"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := repositoryOf(test.dir, test.path); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestReleaseIsNamedByTheApplication(t *testing.T) {
	for sent, want := range map[string]string{"guestbook": "guestbook", "team-a_guestbook": "guestbook"} {
		app, err := currentApplication(func(name string) (string, bool) { return sent, name == "ARGOCD_APP_NAME" })
		if err != nil {
			t.Fatal(err)
		}
		if app.release.name != want {
			t.Errorf("%s makes the release %q, want %q", sent, app.release.name, want)
		}
	}
}

// shop is an application in a repository of its own, beside which there is a file that is not its business.
func shop(t *testing.T) application {
	t.Helper()
	outside, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(outside, "repository")
	dir := filepath.Join(root, "apps", "shop")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"../secret.yaml", "platform.yaml", "apps/shop/own.yaml", "apps/shop/a,b.yaml"} {
		if err := os.WriteFile(filepath.Join(root, file), []byte("a: b\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"out.yaml": "../../../secret.yaml", "in.yaml": "../../platform.yaml"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	return application{dir: dir, root: root, parameters: parameters{renderer: auto}}
}

func TestFileStaysInTheRepository(t *testing.T) {
	app := shop(t)
	for _, test := range []struct{ name, want string }{
		{"own.yaml", "apps/shop/own.yaml"},
		{"../../platform.yaml", "platform.yaml"},
		{"in.yaml", "platform.yaml"},
		{"../..", "."},
		{"../../../secret.yaml", "leads out of the repository"},
		{"out.yaml", "leads out of the repository"},
		{"/etc/passwd", "is an absolute path"},
		{"missing.yaml", "there is no file"},
		{"own.yaml; touch pwned", "there is no file"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path, err := app.file("config", test.name)
			if err != nil {
				if !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "config") {
					t.Errorf("refused by %v, want %q in it", err, test.want)
				}
				return
			}
			if path != filepath.Join(app.root, test.want) {
				t.Errorf("is %s, want %s in the repository", path, test.want)
			}
		})
	}
}

func TestConfigsOfAnApplication(t *testing.T) {
	app := shop(t)
	if _, err := app.configs(); err == nil || !strings.Contains(err.Error(), configName) {
		t.Errorf("without any config it says %v", err)
	}
	own := filepath.Join(app.root, "apps", configName)
	write(t, own, logs)
	if configs, err := app.configs(); err != nil || !slices.Equal(configs, []string{own}) {
		t.Errorf("got %q, %v, want the one in the directory above", configs, err)
	}
	app.parameters.configs = []string{"own.yaml"}
	if configs, err := app.configs(); err != nil || !slices.Equal(configs, []string{filepath.Join(app.dir, "own.yaml")}) {
		t.Errorf("got %q, %v, want the one that a parameter names", configs, err)
	}
	app.platform = platform{config: filepath.Join(app.root, "platform.yaml")}
	write(t, app.platform.config, envoy)
	if configs, err := app.configs(); err != nil || len(configs) != 2 || configs[0] != app.platform.config {
		t.Errorf("got %q, %v, want the platform's first", configs, err)
	}
	app.parameters = parameters{configs: []string{"own"}, recurse: true}
	makeFile(t, filepath.Join(app.dir, "own", "below", "envoy.yaml"), envoy, false)
	if configs, err := app.configs(); err == nil || !strings.Contains(err.Error(), "has the name of one in") {
		t.Errorf("with an injector of the platform's name below, got %q, %v", configs, err)
	}
}

func TestHelmArguments(t *testing.T) {
	app := shop(t)
	app.release = release{name: "--post-renderer", namespace: "shop", kubeVersion: "1.33.0", apiVersions: []string{"v1", "apps/v1"}}
	app.parameters.valueFiles = []string{"own.yaml"}
	args, err := app.helmArguments()
	if err != nil {
		t.Fatal(err)
	}
	want := "template . --include-crds --name-template=--post-renderer --namespace=shop --kube-version=1.33.0 " +
		"--api-versions=v1 --api-versions=apps/v1 --values=" + filepath.Join(app.dir, "own.yaml")
	if got := strings.Join(args, " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}

	for name, why := range map[string]string{
		"a,b.yaml": "a comma", "https://example.com/values.yaml": "there is no file", "out.yaml": "leads out",
	} {
		app.parameters.valueFiles = []string{name}
		if _, err := app.helmArguments(); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s gives %v, want %q", name, err, why)
		}
	}
}
