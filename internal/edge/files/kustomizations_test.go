package files_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/edge/files"
)

// foundIn returns the names of the manifests in a tree.
func foundIn(t *testing.T, reader files.Reader, texts map[string]string) []string {
	t.Helper()
	dir := tree(t, texts)
	reader.Recursive, reader.Take = true, files.Manifests
	found, err := reader.Read(t.Context(), []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range found.Files {
		name, _ := filepath.Rel(dir, file.Path)
		names = append(names, filepath.ToSlash(name))
	}
	return names
}

func TestFilesThatAKustomizationUsesAreNoManifests(t *testing.T) {
	for name, test := range map[string]struct {
		kustomization string
		isManifest    bool
	}{
		"a resource":                     {"resources: [a.yaml]", true},
		"a patch":                        {"patches: [{path: a.yaml}]", false},
		"a patch with a dot":             {"patches: [{path: ./b/../a.yaml}]", false},
		"a strategic merge patch":        {"patchesStrategicMerge: [a.yaml]", false},
		"a JSON patch":                   {"patchesJson6902: [{path: a.yaml}]", false},
		"a transformer":                  {"transformers: [a.yaml]", false},
		"a generator":                    {"generators: [a.yaml]", false},
		"a validator":                    {"validators: [a.yaml]", false},
		"a configuration":                {"configurations: [a.yaml]", false},
		"a schema":                       {"openapi: {path: a.yaml}", false},
		"a definition":                   {"crds: [a.yaml]", false},
		"a replacement":                  {"replacements: [{path: a.yaml}]", false},
		"a file of a ConfigMap":          {"configMapGenerator: [{files: [a.yaml]}]", false},
		"a file of a Secret with a key":  {"secretGenerator: [{files: [pod.yaml=a.yaml]}]", false},
		"values of a chart":              {"helmCharts: [{valuesFile: a.yaml}]", false},
		"both a resource and a patch":    {"patches: [{path: a.yaml}]\nresources: [a.yaml]", true},
		"a patch of the same name":       {"patches: [{path: b/a.yaml}]", true},
		"a patch in place of its path":   {"patchesStrategicMerge: ['{kind: Pod, args: [-c=a.yaml]}', \"x: |\\n  -c=a.yaml\"]", true},
		"a file with an equals sign":     {"patches: [{path: x=a.yaml}]", true},
		"a patch outside of the tree":    {"patches: [{path: ../../../a.yaml}]", true},
		"nothing":                        {"", true},
		"lists that are no lists":        {"patches: a.yaml\nresources: {a: b}\ntransformers: [[a.yaml], {a: a.yaml}]", true},
		"a kustomization that is broken": {"patches: [{path: a.yaml}", true},
		"a huge kustomization":           {"patches: [{path: a.yaml}]\n# " + strings.Repeat("x", 1<<20), true},
	} {
		names := foundIn(t, files.Reader{Complete: true}, map[string]string{"k/kustomization.yaml": test.kustomization, "k/a.yaml": pod})
		if got := slices.Contains(names, "k/a.yaml"); got != test.isManifest {
			t.Errorf("%s: it is a manifest: %t", name, got)
		}
	}
}

func TestResourcesOfKustomizationsAreManifestsWhateverTheirNames(t *testing.T) {
	const chart = "apiVersion: v2\nname: shop\nversion: 1.0.0\n"
	names := foundIn(t, files.Reader{Complete: true}, map[string]string{
		"kustomization.yaml":             "resources: [pod.txt, sub/noend, chart/templates/listed.yaml, ../out.txt, missing.txt, link/pod.txt]\n",
		"pod.txt":                        pod,
		"other.txt":                      pod,
		"sub/noend":                      pod,
		"chart/Chart.yaml":               chart,
		"chart/templates/listed.yaml":    pod,
		"chart/templates/other.yaml":     pod,
		"chart/templates/sub/other.yaml": pod,
	})
	if want := []string{"chart/templates/listed.yaml", "pod.txt", "sub/noend"}; !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
}

func TestOnlyAChartHasTemplates(t *testing.T) {
	for text, isChart := range map[string]bool{
		"apiVersion: v2\nname: shop\nversion: 1.0.0\n": true,
		"apiVersion: v1\nname: shop\nversion: '1'\n":   true,
		"":                             false,
		"# a chart\n":                  false,
		"apiVersion: v2\nname: shop\n": false,
		"name: shop\nversion: 1.0.0\n": false,
		"apiVersion: v3\nname: shop\nversion: 1.0.0\n": false,
		"apiVersion: v2\nname: [\n":                    false,
	} {
		names := foundIn(t, files.Reader{Complete: true}, map[string]string{"Chart.yaml": text, "templates/a.yaml": pod})
		if isFound := slices.Contains(names, "templates/a.yaml"); isFound == isChart {
			t.Errorf("%q: the template is a manifest: %t", text, isFound)
		}
	}
}
