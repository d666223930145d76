package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestConfigsForAnApplication(t *testing.T) {
	const app, top, platform = "repository/apps/shop", "repository", "platform"
	for _, test := range []struct {
		name  string
		files map[string]string
		links map[string]string
		want  string
		says  string // in an error
	}{
		{name: "none", files: map[string]string{}},
		{name: "the application's", files: map[string]string{app + "/injector.yaml": logs}, want: app + "/injector.yaml"},
		{
			name:  "the nearest one",
			files: map[string]string{"repository/apps/injector.yaml": logs, "repository/injector.yaml": logs},
			want:  "repository/apps/injector.yaml",
		},
		{name: "the one at the top", files: map[string]string{"repository/injector.yaml": logs}, want: "repository/injector.yaml"},
		{name: "none above the repository", files: map[string]string{"injector.yaml": logs}},
		{
			name:  "the platform's, and then the application's",
			files: map[string]string{"repository/injector.yaml": logs, "platform/envoy.yaml": envoy},
			want:  platform + "/envoy.yaml repository/injector.yaml",
		},
		{
			name:  "what is no config in the platform's directory",
			files: map[string]string{"repository/injector.yaml": logs, "platform/README": "# none\n"},
			says:  "PILLION_CONFIG: there is no injector in",
		},
		{name: "the platform's", files: map[string]string{"platform/envoy.yaml": envoy}, want: platform},
		{name: "none in an empty directory of the platform", files: map[string]string{"platform/": ""}},
		{
			name:  "not a file of that name with something else",
			files: map[string]string{app + "/injector.yaml": web, "repository/injector.yaml": logs},
			want:  "repository/injector.yaml",
		},
		{
			name:  "not values of a chart that mention an injector",
			files: map[string]string{app + "/injector.yaml": "kind: SidecarInjector\nimage: fluent-bit\n"},
		},
		{
			name:  "a list",
			files: map[string]string{app + "/injector.yaml": "{apiVersion: pillion.dev/v1alpha1, kind: SidecarInjectorList, items: []}"},
			want:  app + "/injector.yaml",
		},
		{
			name:  "one that cannot be read, so that this is reported",
			files: map[string]string{app + "/injector.yaml": logs + "  name: [\n", "repository/injector.yaml": logs},
			want:  app + "/injector.yaml",
		},
		{
			name:  "one with a key that is there twice",
			files: map[string]string{app + "/injector.yaml": "apiVersion: pillion.dev/v1alpha1\n" + logs, "repository/injector.yaml": logs},
			want:  app + "/injector.yaml",
		},
		{name: "not a directory of that name", files: map[string]string{app + "/injector.yaml/": ""}},
		{
			name:  "a link in the repository",
			files: map[string]string{"repository/logs.yaml": logs},
			links: map[string]string{app + "/injector.yaml": "../../logs.yaml"},
			want:  "repository/logs.yaml",
		},
		{
			name:  "a link out of the repository",
			files: map[string]string{"logs.yaml": logs},
			links: map[string]string{app + "/injector.yaml": "../../../logs.yaml"},
			says:  "leads out of the repository",
		},
		{
			name:  "a link to a device",
			links: map[string]string{app + "/injector.yaml": "/dev/zero"},
			says:  "leads out of the repository",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := realTempDir(t)
			for name, text := range test.files {
				makeFile(t, filepath.Join(root, name), text, strings.HasSuffix(name, "/"))
			}
			makeFile(t, filepath.Join(root, app), "", true)
			for link, target := range test.links {
				if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
					t.Fatal(err)
				}
			}
			mounted := filepath.Join(root, platform)
			if _, err := os.Stat(mounted); err != nil {
				mounted = ""
			}
			p, err := readPlatform(environment{platformVariable: mounted}.lookup)
			if err != nil {
				t.Fatal(err)
			}
			configs, err := p.configsFor(filepath.Join(root, app), filepath.Join(root, top))
			if err != nil && (test.says == "" || !strings.Contains(err.Error(), test.says)) {
				t.Errorf("it says %v, want %q", err, test.says)
			}
			got := strings.ReplaceAll(strings.Join(configs, " "), root+"/", "")
			if got != test.want || err == nil && test.says != "" {
				t.Errorf("got %s, want %q", got, test.want)
			}
		})
	}
}

func TestGitRepository(t *testing.T) {
	root := realTempDir(t)
	app := filepath.Join(root, "repository", "apps", "shop")
	makeFile(t, app, "", true)
	if got := gitRepository(app); got != app {
		t.Errorf("without .git, got %s", got)
	}
	makeFile(t, filepath.Join(root, "repository", ".git"), "gitdir: elsewhere\n", false) // as in a submodule
	if got := gitRepository(app); got != filepath.Join(root, "repository") {
		t.Errorf("with .git, got %s", got)
	}
}

func realTempDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func makeFile(t *testing.T, path, text string, isDir bool) {
	t.Helper()
	dir := path
	if !isDir {
		dir = filepath.Dir(path)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if !isDir {
		write(t, path, text)
	}
}
