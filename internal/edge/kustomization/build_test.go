package kustomization

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/edge/files"
)

const somePod = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n"

// TestBuilds has what is built of a directory app of a repository, and why not.
func TestBuilds(t *testing.T) {
	many := "a0: &a0 text\n"
	for i := range 9 { // each is ten times as long as the one before
		many += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 10))
	}
	for _, test := range []struct {
		claim string
		tree  map[string]string
		want  string // a part of the result or of the error
		isBad bool
	}{
		{
			"resources are built",
			map[string]string{"app/kustomization.yaml": "resources: [pod.yaml]\nnamePrefix: " +
				"my-\n", "app/pod.yaml": somePod},
			"name: my-web", false,
		},
		{"there may be none", map[string]string{"app/kustomization.yaml": "resources: []\nnamePrefix: " +
			"my-\n"}, "", false},
		{
			"a directory beside it is in the repository",
			map[string]string{
				"app/kustomization.yaml":  "resources: [../base]\n",
				"base/kustomization.yaml": "resources: [pod.yaml]\n", "base/pod.yaml": somePod,
			},
			"name: web", false,
		},
		{"a directory that is missing is none to build", map[string]string{"other/x": ""}, "there is no directory " +
			"", true},
		{"neither is a file", map[string]string{"app": somePod}, "there is no directory ", true},
		{
			"one without a kustomization has another remedy",
			map[string]string{"app/pod.yaml": somePod},
			"there is no readable kustomization.yaml in ", true,
		},
		{
			"plugins do not run",
			map[string]string{
				"app/kustomization.yaml": "resources: [pod.yaml]\ntransformers: [fn.yaml]\n", "app/pod.yaml": somePod,
				"app/fn.yaml": "apiVersion: v1\nkind: X\nmetadata: {name: x, annotations: " +
					"{config.kubernetes.io/function: 'exec: {path: ./x}'}}\n",
			},
			"runs the plugin or function X, which -k does not support", true,
		},
		{
			"nothing is fetched",
			map[string]string{"app/kustomization.yaml": "resources: [https://github.com/a/b]\n"},
			"Pillion fetches nothing", true,
		},
		{
			"what is missing is named",
			map[string]string{"app/kustomization.yaml": "resources: [none.yaml]\n"},
			filepath.Join("app", "none.yaml") + "; correct the path", true,
		},
		{
			"other mistakes are kustomize's",
			map[string]string{"app/kustomization.yaml": "resources: [pod.yaml]\n", "app/pod.yaml": "a: b\n"},
			"cannot be built: ", true,
		},
		{
			"too many aliases are refused, with the line",
			map[string]string{"app/kustomization.yaml": "resources: [pod.yaml]\n", "app/pod.yaml": somePod + many},
			"pod.yaml:", true,
		},
	} {
		t.Run(test.claim, func(t *testing.T) {
			root := files.RealPath(t.TempDir())
			for name, text := range test.tree {
				put(t, filepath.Join(root, name), text)
			}
			for name, build := range map[string]func() ([]byte, error){
				"Build":       func() ([]byte, error) { return NewDisk(nil).Build(filepath.Join(root, "app")) },
				"BuildWithin": func() ([]byte, error) { return BuildWithin(root, filepath.Join(root, "app")) },
			} {
				built, err := build()
				got := string(built)
				if err != nil {
					got = err.Error()
				}
				if (err != nil) != test.isBad || !strings.Contains(got, test.want) {
					t.Errorf("%s: got %s", name, got)
				}
			}
		})
	}
}

// TestNothingOutsideOfTheRepositoryIsRead has ways out of a repository, which only Build may go.
func TestNothingOutsideOfTheRepositoryIsRead(t *testing.T) {
	const list = "resources: [pod.yaml]\n"
	for _, test := range []struct {
		claim string
		tree  map[string]string
	}{
		{"a directory above it", map[string]string{"repo/app/kustomization.yaml": "resources: [../../outside]\n"}},
		{
			"a link to a directory",
			map[string]string{"repo/app/kustomization.yaml": "resources: [../link]\n", "repo/link": "-> ../outside"},
		},
	} {
		t.Run(test.claim, func(t *testing.T) {
			dir := files.RealPath(t.TempDir())
			put(t, filepath.Join(dir, "outside", "kustomization.yaml"), list)
			put(t, filepath.Join(dir, "outside", "pod.yaml"), somePod)
			for name, text := range test.tree {
				put(t, filepath.Join(dir, name), text)
			}
			app := filepath.Join(dir, "repo", "app")
			if _, err := NewDisk(nil).Build(app); err != nil {
				t.Errorf("Build: %v", err)
			}
			if built, err := BuildWithin(filepath.Join(dir, "repo"), app); err == nil {
				t.Errorf("BuildWithin reads %s", built)
			}
		})
	}
}

// TestTheBoundedDiskHasOnlyWhatIsUnderItsRoot has all ways by which kustomize reads.
func TestTheBoundedDiskHasOnlyWhatIsUnderItsRoot(t *testing.T) {
	dir := files.RealPath(t.TempDir())
	put(t, filepath.Join(dir, "root", "in", "file"), "text")
	put(t, filepath.Join(dir, "out", "file"), "text")
	put(t, filepath.Join(dir, "root", "link"), "-> ../out")
	view := bounded{NewDisk(nil), filepath.Join(dir, "root")}
	for at, isInside := range map[string]bool{
		"root/in": true, "out": false, "root/link": false, "root/in/../../out": false,
	} {
		folder := dir + "/" + at
		file := folder + "/file"
		_, errRead := view.ReadFile(file)
		_, errOpen := view.Open(file)
		_, errDir := view.ReadDir(folder)
		_, _, errAbs := view.CleanedAbs(folder)
		errWalk := view.Walk(folder, func(_ string, _ os.FileInfo, err error) error { return err })
		for call, err := range map[string]error{
			"ReadFile": errRead, "Open": errOpen, "ReadDir": errDir, "CleanedAbs": errAbs, "Walk": errWalk,
		} {
			if (err == nil) != isInside {
				t.Errorf("%s of %s: %v", call, at, err)
			}
		}
		found, err := view.Glob(folder + "/*")
		if err != nil || (len(found) == 1) != isInside {
			t.Errorf("Glob of %s: %v, %v", at, found, err)
		}
		if view.Exists(file) != isInside || view.IsDir(folder) != isInside {
			t.Errorf("%s is there: %t", at, !isInside)
		}
	}
}

func TestADirectoryWithoutAKustomizationHasNoNamespace(t *testing.T) {
	if got := Namespace(t.TempDir()); got != "" {
		t.Errorf("got %q", got)
	}
	dir := t.TempDir()
	put(t, filepath.Join(dir, "kustomization.yaml"), "namespace: {\n")
	if got := Namespace(dir); got != "" {
		t.Errorf("broken: got %q", got)
	}
}
