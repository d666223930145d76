package test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"pillion.dev/pillion/test/golden"
)

// families are repositories in the shapes that fleets have, each as an archive in testdata/families, and an object that
// explain is asked about. What the commands say about each is in a file beside it.
var families = []struct {
	name, object string
	more         func() []txtar.File
}{
	{name: "home", object: "helmrelease/photos", more: moreApps},
	{name: "company", object: "kustomization/team-search"},
	{name: "argo", object: "application/web"},
	{name: "openshift", object: "subscription/pipelines"},
}

// TestFamiliesOfRepositories injects into the files of each repository, and then accounts for all of it: without the
// project file, what makes pods elsewhere is an error, and with it, the verification passes.
func TestFamiliesOfRepositories(t *testing.T) {
	for _, family := range families {
		t.Run(family.name, func(t *testing.T) {
			at := filepath.Join("testdata", "families")
			archive := txtar.Parse([]byte(readFile(t, filepath.Join(at, family.name+".txtar"))))
			injector := txtar.File{Name: "injector.yaml", Data: []byte(readFile(t, filepath.Join(at, "injector.yaml")))}
			all := slices.Concat(archive.Files, []txtar.File{injector})
			if family.more != nil {
				all = append(all, family.more()...)
			}
			dir := t.TempDir()
			writeFiles(t, dir, all)
			var report strings.Builder
			for _, arguments := range []string{
				"inject -i",
				"verify",
				"verify -c injector.yaml -f . -R",
				"verify -c injector.yaml -k . -R",
				"verify -c injector.yaml -f . -R -v",
				"explain -c injector.yaml -f . -R",
				"explain -c injector.yaml -f . -R " + family.object,
			} {
				said, code := runIn(t, dir, strings.Fields(arguments)...)
				fmt.Fprintf(&report, "$ pillion %s\n%s(exit code %d)\n\n", arguments, said, code)
				switch {
				case arguments == "verify" && code != 0:
					t.Errorf("the project file does not make verify pass:\n%s", said)
				case strings.HasPrefix(arguments, "verify -c injector.yaml -f") && code != 1:
					t.Errorf("pillion %s ends with %d", arguments, code)
				case !strings.Contains(arguments, "-v") && (strings.Count(said, "\n") > 60 || len(said) > 8000):
					t.Errorf("pillion %s says too much:\n%s", arguments, said)
				}
			}
			golden.Check(t, filepath.Join(at, family.name+".txt"), report.String())
		})
	}
}

func writeFiles(t *testing.T, dir string, all []txtar.File) {
	t.Helper()
	for _, file := range all {
		path := filepath.Join(dir, filepath.FromSlash(file.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, file.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// runIn returns what the program prints in a directory, and its exit code.
func runIn(t *testing.T, dir string, arguments ...string) (said string, code int) {
	t.Helper()
	cmd := exec.Command("pillion", arguments...)
	cmd.Dir = dir
	out, _ := cmd.CombinedOutput()
	return string(out), cmd.ProcessState.ExitCode()
}

// moreApps returns 77 apps, each a Kustomization of Flux with a HelmRelease: half of them of one chart, as in the
// repositories of home clusters.
func moreApps() []txtar.File {
	const chart = `apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: {name: %s}
spec: {url: "oci://registry.example.com/charts/%s"}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: %[1]s}
spec: {chartRef: {kind: OCIRepository, name: %[1]s}}
`
	const flux = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: %s}
spec:
  path: ./%s/app
  postBuild: {substitute: {DOMAIN: home.example.com}}
  sourceRef: {kind: GitRepository, name: flux-system, namespace: flux-system}
`
	var all []txtar.File
	for i := range 77 {
		name := fmt.Sprintf("app%02d", i)
		dir := "kubernetes/apps/home/" + name
		of := "app"
		if i%2 == 1 {
			of = name
		}
		all = append(all,
			txtar.File{Name: dir + "/ks.yaml", Data: fmt.Appendf(nil, flux, name, dir)},
			txtar.File{Name: dir + "/app/kustomization.yaml", Data: []byte("namespace: home\nresources: [helmrelease.yaml]\n")},
			txtar.File{Name: dir + "/app/helmrelease.yaml", Data: fmt.Appendf(nil, chart, name, of)})
	}
	return all
}
