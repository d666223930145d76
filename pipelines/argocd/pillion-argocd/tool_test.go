package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestToolNamed(t *testing.T) {
	for program, want := range map[string]string{
		"kustomize": "kustomize", "/pillion/kustomize-pillion": "kustomize", "helm": "helm", "/pillion/helm": "helm",
		"pillion-argocd": "", "/helm/pillion-argocd": "",
	} {
		if got, isTool := toolNamed(program); got.name != want || isTool != (want != "") {
			t.Errorf("%s stands in for %q, want %q", program, got.name, want)
		}
	}
}

// TestFind uses directories with programs: this program in pillion, a copy of it in copy, and a script that may run it
// in wrapper.
func TestFind(t *testing.T) {
	root := realTempDir(t)
	for file, mode := range map[string]os.FileMode{
		"pillion/pillion-argocd": 0o755, "copy/kustomize": 0o755, "real/kustomize": 0o755, "other/kustomize": 0o755,
		"wrapper/kustomize": 0o755, "text/kustomize": 0o644,
	} {
		makeFile(t, filepath.Join(root, file), file, false)
		if err := os.Chmod(filepath.Join(root, file), mode); err != nil {
			t.Fatal(err)
		}
	}
	makeFile(t, filepath.Join(root, "directory", "kustomize"), "", true)
	if err := os.Symlink("pillion-argocd", filepath.Join(root, "pillion", "kustomize")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	for _, test := range []struct{ name, self, named, path, want string }{
		{name: "the next one", path: "/pillion:/real:/other", want: "/real/kustomize"},
		{name: "the first one if this program is not in PATH", path: "/real:/other", want: "/real/kustomize"},
		{name: "none before this program", path: "/wrapper:/pillion:/real", want: "/real/kustomize"},
		{name: "not this program, twice in PATH", path: "/pillion:/wrapper:/pillion:/real", want: "/real/kustomize"},
		{name: "a copy of this program finds the next one", self: "/copy/kustomize", path: "/pillion:/copy:/real", want: "/real/kustomize"},
		{name: "not a text or a directory", path: "/pillion:/text:/directory:/missing:/real", want: "/real/kustomize"},
		{name: "not in a relative directory", path: "/pillion:real:/other", want: "/other/kustomize"},
		{name: "the named one", named: "/other/kustomize", path: "/pillion:/real", want: "/other/kustomize"},
		{name: "the named one is missing", named: "/missing/kustomize", path: "/pillion:/real", want: "PILLION_KUSTOMIZE: "},
		{name: "the named one is this program", named: "/pillion/kustomize", path: "/pillion:/real", want: "is Pillion itself"},
		{name: "the named one is no program", named: "/text/kustomize", path: "/pillion:/real", want: "not a program"},
		{name: "none", path: "/real:/pillion", want: "there is no kustomize after /pillion/pillion-argocd"},
		{name: "no PATH", want: "set PILLION_KUSTOMIZE to"},
	} {
		t.Run(test.name, func(t *testing.T) {
			self, named, path := filepath.Join(root, "pillion", programName), test.named, strings.Split(test.path, ":")
			if test.self != "" {
				self = root + test.self
			}
			if named != "" {
				named = root + named
			}
			for i, dir := range path {
				if strings.HasPrefix(dir, "/") {
					path[i] = root + dir
				}
			}
			got, err := kustomizeTool.find(self, named, strings.Join(path, string(os.PathListSeparator)))
			if err != nil {
				got = err.Error()
			}
			if got = strings.ReplaceAll(got, root, ""); !strings.Contains(got, test.want) || err == nil && got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestDirectoryIsAnArgumentOrTheWorkingDirectory(t *testing.T) {
	root := realTempDir(t)
	makeFile(t, filepath.Join(root, "app"), "", true)
	t.Chdir(root)
	for args, want := range map[string]string{
		"": root, ".": root, "app": filepath.Join(root, "app"), "--enable-helm app": filepath.Join(root, "app"),
		"release app": filepath.Join(root, "app"), "release oci://example.com/chart": root,
	} {
		if got, err := directory(strings.Fields(args)); got != want || err != nil {
			t.Errorf("%q: got %s, %v, want %s", args, got, err, want)
		}
	}
}

func TestNamespace(t *testing.T) {
	for args, want := range map[string]string{
		"template . --name-template shop":  "",
		"template . --namespace bank":      "bank",
		"template . --namespace=bank":      "bank",
		"template . -n bank --values a":    "bank",
		"template . --namespace":           "",
		"template . --namespace a -n bank": "bank",
	} {
		if got := helmTool.namespace(strings.Fields(args), "shop"); got != want {
			t.Errorf("%s: got %q, want %q", args, got, want)
		}
	}
	if got := kustomizeTool.namespace([]string{"build", ".", "--namespace=bank"}, "shop"); got != "shop" {
		t.Errorf("kustomize: got %q", got)
	}
}
