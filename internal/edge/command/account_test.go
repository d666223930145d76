package command

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/pods/maker"
	"pillion.dev/pillion/internal/text/yaml/read"
	"pillion.dev/pillion/test/growth"
)

// makerOf returns the maker that an object is.
func makerOf(t *testing.T, about finding.Object, spec string) *maker.Maker {
	t.Helper()
	document, err := read.Document([]byte("spec: " + spec))
	if err != nil {
		t.Fatal(err)
	}
	file := &finding.File{Path: about.Name + ".yaml"}
	return maker.New(maker.Find(about.APIVersion, about.Kind), about, file, document.Content[0])
}

// TestTheAccountGrowsWithTheFleet settles releases that were rendered, Flux Kustomizations of directories that were read,
// and objects that a kustomization builds of files.
func TestTheAccountGrowsWithTheFleet(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	var directories []string
	for i := range 50 {
		directories = append(directories, filepath.Join(files.RealPath(dir), fmt.Sprint("d", i)))
		if err := os.Mkdir(directories[i], 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(".git", 0o755); err != nil {
		t.Fatal(err)
	}
	config := "[remote \"origin\"]\nurl = https://git.example.com/fleet\n"
	if err := os.WriteFile(".git/config", []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	settle := func(count int) *verbRun {
		w := &verbRun{roots: map[string]bool{"d0/kustomization.yaml": true}}
		w.directories = directories
		w.Run.Sources = []maker.Source{{Kind: "GitRepository", Namespace: "apps", Name: "fleet", URL: "https://git.example.com/fleet"}}
		for i := range count {
			name := fmt.Sprint("x", i)
			release := finding.Object{APIVersion: "helm.toolkit.fluxcd.io/v2", Kind: "HelmRelease", Namespace: "apps", Name: name}
			flux := finding.Object{APIVersion: "kustomize.toolkit.fluxcd.io/v1", Kind: "Kustomization", Namespace: "apps", Name: name}
			built := makerOf(t, release, "{chartRef: {kind: OCIRepository, name: built}}")
			built.Object.Name += "-built"
			built.Root = "d0/kustomization.yaml"
			w.Run.Makers = append(w.Run.Makers, built, makerOf(t, release, "{chartRef: {kind: OCIRepository, name: x}}"),
				makerOf(t, flux, fmt.Sprintf("{path: ./d%d, sourceRef: {kind: GitRepository, name: fleet}}", i%len(directories))))
			w.Run.Sources = append(w.Run.Sources, maker.Source{Kind: "OCIRepository", Name: name, URL: "oci://" + name})
			w.Run.Rendered = append(w.Run.Rendered,
				maker.Rendered{Namespace: "apps", Name: name, File: &finding.File{Path: files.Stdin}})
			w.kustomizations = append(w.kustomizations, files.Kustomization{Path: fmt.Sprintf("d%d/kustomization.yaml", i%len(directories))})
		}
		in := &input{recursive: true}
		in.project.Covered = []v1alpha1.Covered{{Kind: "HelmRelease", Names: []string{"*-built"}, Because: "it is built"}}
		in.account(w)
		return w
	}
	for _, m := range settle(100).Run.Makers {
		if !m.IsCovered() {
			t.Fatalf("%s is not covered: %s", m.Object, m.Why)
		}
	}
	of := func(count int) func() time.Duration {
		return func() time.Duration { return growth.Of(t, func() { settle(count) }) }
	}
	growth.Linear(t, "makers", 16, of(625), of(10_000))
}
