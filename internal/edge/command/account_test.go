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
	const directories = 50
	for i := range directories {
		if err := os.Mkdir(filepath.Join(dir, fmt.Sprint("d", i)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	settle := func(count int) *verbRun {
		w := &verbRun{roots: map[string]bool{"d0/kustomization.yaml": true}, built: map[*maker.Maker]bool{}}
		for i := range count {
			name := fmt.Sprint("x", i)
			release := finding.Object{APIVersion: "helm.toolkit.fluxcd.io/v2", Kind: "HelmRelease", Namespace: "apps", Name: name}
			flux := finding.Object{APIVersion: "kustomize.toolkit.fluxcd.io/v1", Kind: "Kustomization", Namespace: "apps", Name: name}
			built := makerOf(t, release, "{chartRef: {kind: OCIRepository, name: built}}")
			built.Object.Name += "-built"
			w.built[built] = true
			w.Run.Makers = append(w.Run.Makers, built, makerOf(t, release, "{chartRef: {kind: OCIRepository, name: x}}"),
				makerOf(t, flux, fmt.Sprintf("{path: ./d%d, sourceRef: {kind: GitRepository, name: fleet}}", i%directories)))
			w.Run.Sources = append(w.Run.Sources, maker.Source{Kind: "OCIRepository", Name: name, URL: "oci://" + name})
			w.Run.Rendered = append(w.Run.Rendered,
				maker.Rendered{Namespace: "apps", Name: name, File: &finding.File{Path: files.Stdin}})
			w.manifests = append(w.manifests, finding.Source{File: fmt.Sprintf("d%d/%s.yaml", i%directories, name)})
			w.kustomizations = append(w.kustomizations, files.Kustomization{Path: fmt.Sprintf("d%d/kustomization.yaml", i%directories)})
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
