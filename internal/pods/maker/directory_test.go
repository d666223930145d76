package maker

import (
	"fmt"
	"slices"
	"testing"
)

func TestDirectoriesOfFluxAndWhatChangesThem(t *testing.T) {
	plain := "path: ./apps, sourceRef: {kind: GitRepository, name: fleet}, prune: true, wait: true, images: null, interval: 1h, " +
		"retryInterval: 1m, timeout: 5m, dependsOn: [], healthChecks: [], healthCheckExprs: [], force: false, suspend: false, " +
		"serviceAccountName: a, kubeConfig: {}, deletionPolicy: Orphan, commonMetadata: {}"
	m := newOf(t, "kustomize.toolkit.fluxcd.io/v1", "Kustomization", "{"+plain+"}")
	want := Directory{Source: Source{Kind: "GitRepository", Namespace: "own", Name: "fleet"}, Path: "./apps"}
	if len(m.Directories) != 1 || m.Directories[0] != want || m.Changed != "" {
		t.Errorf("it is made of %+v; %s", m.Directories, m.Changed)
	}
	for _, field := range []string{
		"patches", "images", "components", "postBuild", "targetNamespace", "namePrefix", "decryption", "buildMetadata",
		"ignoreMissingComponents", "Path", "fieldOfTheFuture",
	} {
		m := newOf(t, "kustomize.toolkit.fluxcd.io/v1", "Kustomization", "{path: ./apps, "+field+": {a: b}}")
		if m.Changed != "spec."+field+" changes what it builds" {
			t.Errorf("%s: %s", field, m.Changed)
		}
	}
	for _, test := range []struct{ claim, object, changed string }{
		{"two", "{spec: {path: a, images: [], patches: []}}", "spec.images, spec.patches change what it builds"},
		{"many", "{spec: {path: a, b: 1, c: 1, d: 1, e: 1, f: 1}}", "spec.b, spec.c, spec.d, 2 more change what it builds"},
		{"a merge key", "{x: &x {images: []}, spec: {path: a, <<: *x}}", "x, spec.images change what it builds"},
	} {
		kind := Find("kustomize.toolkit.fluxcd.io/v1", "Kustomization")
		if m := New(kind, m.Object, nil, parse(t, test.object)); m.Changed != test.changed {
			t.Errorf("%s: %s", test.claim, m.Changed)
		}
	}
}

func TestDirectoriesOfApplicationsAndWhatChangesThem(t *testing.T) {
	of := func(path, revision string, isPlain bool) Directory {
		source := Source{URL: "https://example.com/a", Branch: revision}
		return Directory{Source: source, Path: path, IsArgo: true, IsPlain: isPlain}
	}
	for _, test := range []struct {
		claim, source string
		directories   []Directory
		changed       string // below the source
	}{
		{"a directory", "path: web, targetRevision: v1", []Directory{of("web", "v1", false)}, ""},
		{"plain files", "path: web, directory: {recurse: true, include: a, exclude: b}", []Directory{of("web", "", true)}, ""},
		{"the root", "ref: null", []Directory{of("", "", false)}, ""},
		{"kustomize", "path: web, kustomize: {images: [b]}", []Directory{of("web", "", false)}, "kustomize"},
		{"jsonnet", "path: web, directory: {jsonnet: {tlas: []}}", []Directory{of("web", "", true)}, "directory.jsonnet"},
		{"a plugin", "path: web, plugin: {name: b}", []Directory{of("web", "", false)}, "plugin"},
		{"a chart", "chart: web", nil, "chart"},
		{"files for others", "ref: values", nil, ""},
	} {
		for field, spec := range map[string]string{"spec.source": "{source: {%s}}", "spec.sources[0]": "{sources: [{%s}]}"} {
			spec := fmt.Sprintf(spec, `repoURL: "https://example.com/a", `+test.source)
			m := newOf(t, "argoproj.io/v1alpha1", "Application", spec)
			changed := ""
			if test.changed != "" {
				changed = field + "." + test.changed + " changes what it builds"
			}
			if !slices.Equal(m.Directories, test.directories) || m.Changed != changed {
				t.Errorf("%s: it is made of %+v; %s", test.claim, m.Directories, m.Changed)
			}
		}
	}
	m := newOf(t, "argoproj.io/v1alpha1", "Application", "{sourceHydrator: {drySource: {repoURL: a, path: b}}}")
	if len(m.Directories) > 0 || m.Changed != "spec.sourceHydrator changes what it builds" {
		t.Errorf("a hydrated one is made of %+v; %s", m.Directories, m.Changed)
	}
}
