package maker

import (
	"slices"
	"testing"
)

func TestDirectoriesOfFluxAndWhatMayChangeThem(t *testing.T) {
	m := newOf(t, "kustomize.toolkit.fluxcd.io/v1", "Kustomization",
		"{path: ./apps, sourceRef: {kind: GitRepository, name: fleet}, prune: true, wait: true, images: null}")
	want := Directory{Source: Source{Kind: "GitRepository", Namespace: "own", Name: "fleet"}, Path: "./apps"}
	if len(m.Directories) != 1 || m.Directories[0] != want || len(m.Changes) > 0 {
		t.Errorf("it is made of %+v, changed by %v", m.Directories, m.Changes)
	}
	for _, field := range []string{
		"patches", "patchesStrategicMerge", "patchesJson6902", "images", "components", "postBuild", "targetNamespace",
		"namePrefix", "nameSuffix", "decryption",
	} {
		m := newOf(t, "kustomize.toolkit.fluxcd.io/v1", "Kustomization", "{path: ./apps, "+field+": {a: b}}")
		if !slices.Equal(m.Changes, []string{"spec." + field}) {
			t.Errorf("%s: it is changed by %v", field, m.Changes)
		}
	}
}

func TestDirectoriesOfApplicationsAndWhatMayChangeThem(t *testing.T) {
	here := Directory{URL: "https://example.com/a", Path: "web", IsArgo: true}
	for _, test := range []struct {
		claim, spec string
		directories []Directory
		changes     []string
	}{
		{"a directory", `{source: {repoURL: "https://example.com/a", path: web, directory: {recurse: true}}}`, []Directory{here}, nil},
		{"the root", `{source: {repoURL: "https://example.com/a"}}`, []Directory{{URL: "https://example.com/a", IsArgo: true}}, nil},
		{
			"kustomize", `{source: {repoURL: "https://example.com/a", path: web, kustomize: {images: [b]}}}`,
			[]Directory{here},
			[]string{"kustomize"},
		},
		{
			"jsonnet", `{source: {repoURL: "https://example.com/a", path: web, directory: {jsonnet: {tlas: []}}}}`,
			[]Directory{here},
			[]string{"directory.jsonnet"},
		},
		{"a plugin", `{source: {repoURL: "https://example.com/a", path: web, plugin: {name: b}}}`, []Directory{here}, []string{"plugin"}},
		{"a chart", `{source: {repoURL: "https://example.com/a", chart: web}}`, nil, []string{"chart"}},
		{
			"a directory and a chart", `{sources: [{repoURL: "https://example.com/a", path: web}, {repoURL: b, chart: c}]}`,
			[]Directory{here},
			[]string{"chart"},
		},
		{
			"values of another repository", `{sources: [{repoURL: "https://example.com/a", path: web}, {repoURL: b, ref: values}]}`,
			[]Directory{here},
			nil,
		},
		{"a hydrated one", `{sourceHydrator: {drySource: {repoURL: a, path: b}}}`, nil, []string{"spec.sourceHydrator"}},
	} {
		m := newOf(t, "argoproj.io/v1alpha1", "Application", test.spec)
		if !slices.Equal(m.Directories, test.directories) || !slices.Equal(m.Changes, test.changes) {
			t.Errorf("%s: it is made of %+v, changed by %v", test.claim, m.Directories, m.Changes)
		}
	}
}
