package files_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/files"
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
		"a patch outside of the tree":    {"patches: [{path: ../../a.yaml}]", true},
		"nothing":                        {"", true},
		"lists that are no lists":        {"patches: a.yaml\nresources: {a: b}\ntransformers: [[a.yaml], {a: a.yaml}]", true},
		"a kustomization that is broken": {"patches: [{path: a.yaml}", true},
		"a huge kustomization":           {"patches: [{path: a.yaml}]\n# " + strings.Repeat("x", 1<<20), true},
	} {
		names := foundIn(t, files.Reader{Built: true}, map[string]string{"k/kustomization.yaml": test.kustomization, "k/a.yaml": pod})
		if got := slices.Contains(names, "k/a.yaml"); got != test.isManifest {
			t.Errorf("%s: it is a manifest: %t", name, got)
		}
	}
}

func TestDirectoriesThatBuildConfigsHaveNoManifests(t *testing.T) {
	texts := map[string]string{
		"app/kustomization.yaml":           "resources: [../base, ../both]\ntransformers: [../configs, ../both]\n",
		"base/kustomization.yaml":          "resources: [a.yaml]\n",
		"base/a.yaml":                      pod,
		"both/kustomization.yaml":          "resources: [a.yaml]\n",
		"both/a.yaml":                      pod,
		"configs/kustomization.yaml":       "resources: [a.yaml, below]\n",
		"configs/a.yaml":                   pod,
		"configs/below/kustomization.yaml": "resources: [a.yaml]\n",
		"configs/below/a.yaml":             pod,
	}
	if names, want := foundIn(t, files.Reader{Built: true}, texts), []string{"base/a.yaml", "both/a.yaml"}; !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
	if names := foundIn(t, files.Reader{}, texts); len(names) != 4 {
		t.Errorf("without Built, got %v", names)
	}
}
