package kustomization

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"pillion.dev/pillion/internal/edge/files"
)

// tree writes files, and returns their directory.
func tree(t *testing.T, texts map[string]string) string {
	t.Helper()
	dir := files.RealPath(t.TempDir())
	for name, text := range texts {
		put(t, filepath.Join(dir, name), text)
	}
	return dir
}

// steppedTree has a pod whose image is that of the step that changed it last.
var steppedTree = map[string]string{
	"base/kustomization.yaml": "resources: [pod.yaml]\nimages: [{name: web, newName: one}]\n",
	"base/pod.yaml":           somePod + "spec: {containers: [{name: web, image: web}]}\n",
	"overlay/kustomization.yaml": `resources: [../base]
components: [../component]
Patches:
- path: patches.yaml
- target: {kind: Pod}
  patch: |
    # operations
    - {op: replace, path: /spec/containers/0/image, value: four}
    - {op: replace, path: /spec/containers/0/image, value: five}
`,
	"overlay/patches.yaml": somePod + "spec:\n  containers: [{name: web, image: three}]\n",
	"component/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n" +
		"patchesStrategicMerge: ['" + "{apiVersion: v1, kind: Pod, metadata: {name: web}, " +
		"spec: {containers: [{name: web, image: two}]}}" + "']\n",
}

func TestABuildTakesTheFirstSteps(t *testing.T) {
	dir := filepath.Join(tree(t, steppedTree), "overlay")
	disk := NewDisk(nil)
	steps := disk.Contents(dir).Steps
	images := []string{"web", "one", "two", "three", "four", "five"}
	if len(steps) != len(images)-1 {
		t.Fatalf("there are %d steps", len(steps))
	}
	for count, image := range images {
		built, err := disk.BuildUpTo(dir, steps, count)
		if err != nil || !strings.Contains(string(built), "- image: "+image+"\n") {
			t.Errorf("%d steps: %s %v", count, built, err)
		}
	}
}

func TestAStepHasAPlace(t *testing.T) {
	root := tree(t, steppedTree)
	disk := NewDisk(nil)
	var places []string
	for _, step := range disk.Contents(filepath.Join(root, "overlay")).Steps {
		path, line := disk.LocationOf(step, "Pod", "web")
		inside, err := filepath.Rel(root, path)
		if err != nil {
			t.Fatal(err)
		}
		places = append(places, fmt.Sprintf("%s:%d", filepath.ToSlash(inside), line))
	}
	want := "base/kustomization.yaml:2 component/kustomization.yaml:3 overlay/patches.yaml:5 " +
		"overlay/kustomization.yaml:0 overlay/kustomization.yaml:0" // the field has an odd case
	if got := strings.Join(places, " "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestKustomizationsThatUseOneAnotherTwiceAreRefused(t *testing.T) {
	texts := map[string]string{"30/kustomization.yaml": "namePrefix: a\n"}
	for i := range 30 {
		texts[fmt.Sprintf("%d/kustomization.yaml", i)] = fmt.Sprintf("resources: [../%d, ../%[1]da]\n", i+1)
		texts[fmt.Sprintf("%da/kustomization.yaml", i+1)] = fmt.Sprintf("resources: [../%d]\n", i+1)
	}
	_, err := NewDisk(nil).Build(filepath.Join(tree(t, texts), "0"))
	if err == nil || !strings.Contains(err.Error(), "more than 2000 kustomizations") {
		t.Error(err)
	}
}

// TestASchemaIsThatOfItsOwnBuild builds kustomizations with and without a schema at the same time: only with the schema,
// a list of a custom resource is merged.
func TestASchemaIsThatOfItsOwnBuild(t *testing.T) {
	const object = "apiVersion: example.com/v1\nkind: App\nmetadata: {name: web}\nspec: {list: [{name: %s}]}\n"
	const list = "resources: [app.yaml]\npatches: [{path: patch.yaml}]\n"
	const schema = `{"definitions": {"v1.App": {"properties": {"spec": {"properties": {"list": {"items": {},
		"x-kubernetes-patch-merge-key": "name", "x-kubernetes-patch-strategy": "merge"}}}},
		"x-kubernetes-group-version-kind": [{"group": "example.com", "kind": "App", "version": "v1"}]}}}`
	dir := tree(t, map[string]string{
		"plain/kustomization.yaml": list, "plain/app.yaml": fmt.Sprintf(object, "a"), "plain/patch.yaml": fmt.Sprintf(object, "b"),
		"own/kustomization.yaml": list + "openapi: {path: schema.json}\n", "own/app.yaml": fmt.Sprintf(object, "a"),
		"own/patch.yaml": fmt.Sprintf(object, "b"), "own/schema.json": schema,
	})
	disk := NewDisk(nil)
	var builds sync.WaitGroup
	for i := range 40 {
		builds.Go(func() {
			name := []string{"plain", "own"}[i%2]
			built, err := disk.Build(filepath.Join(dir, name))
			isMerged := strings.Contains(string(built), "- name: a") && strings.Contains(string(built), "- name: b")
			if err != nil || isMerged != (name == "own") {
				t.Errorf("%s: %s %v", name, built, err)
			}
		})
	}
	builds.Wait()
}
