package test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/test/golden"
	"pillion.dev/pillion/test/resourcelist"
)

// TestAdmissionPipeline checks that policy.yaml in pipelines/admission is the export of the injector beside it, and
// that kustomize builds the directory as it is, with the same policies.
func TestAdmissionPipeline(t *testing.T) {
	dir := filepath.Join(root, "pipelines", "admission")
	exported := mustRun(t, dir, "", "pillion", "export", "admission", "-c", "injector.yaml").stdout
	golden.Check(t, filepath.Join(dir, "policy.yaml"), exported)

	built := objectsByKind(t, mustRun(t, dir, "", kustomize(t), "build", ".").stdout)
	want := objectsByKind(t, readFile(t, filepath.Join(dir, "policy.yaml")))
	if len(want) != 4 {
		t.Errorf("there are %d objects, want two policies and their bindings", len(want))
	}
	if diff := cmp.Diff(want, built); diff != "" {
		t.Errorf("kustomize changes the policies (-export +build):\n%s", diff)
	}
}

// objectsByKind returns the objects of manifests, of which no two have the same kind.
func objectsByKind(t *testing.T, manifests string) map[string]map[string]any {
	t.Helper()
	objects := map[string]map[string]any{}
	for _, document := range resourcelist.Documents(manifests) {
		var object map[string]any
		if err := yaml.Unmarshal([]byte(document), &object); err != nil {
			t.Fatal(err)
		}
		kind, isText := object["kind"].(string)
		if !isText || objects[kind] != nil {
			t.Fatalf("an object has no kind or one that another has: %s", document)
		}
		objects[kind] = object
	}
	return objects
}
