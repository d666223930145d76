package maker

import (
	"testing"

	"pillion.dev/pillion/finding"
)

func TestSourcesAreFoundWithAndWithoutNamespaces(t *testing.T) {
	known := []Source{
		{Kind: "HelmRepository", Namespace: "flux-system", Name: "shop", URL: "https://charts.example.com"},
		{Kind: "HelmRepository", Name: "bare", URL: "https://bare.example.com"},
		{Kind: "HelmRepository", Namespace: "a", Name: "twice", URL: "https://a.example.com"},
		{Kind: "HelmRepository", Namespace: "b", Name: "twice", URL: "https://b.example.com"},
		{Kind: "HelmRepository", Namespace: "a", Name: "same", URL: "https://same.example.com"},
		{Kind: "HelmRepository", Namespace: "b", Name: "same", URL: "https://same.example.com"},
	}
	for _, test := range []struct{ source, from string }{
		{"name: shop, namespace: flux-system", "https://charts.example.com/web"},
		{"name: shop", "https://charts.example.com/web"}, // the namespace may be set by a kustomization
		{"name: bare, namespace: apps", "https://bare.example.com/web"},
		{"name: twice, namespace: b", "https://b.example.com/web"},
		{"name: twice", "HelmRepository/twice/web"},
		{"name: same", "https://same.example.com/web"},
		{"name: unknown", "HelmRepository/unknown/web"},
	} {
		m := newOf(t, "helm.toolkit.fluxcd.io/v2", "HelmRelease",
			"{chart: {spec: {chart: web, sourceRef: {kind: HelmRepository, "+test.source+"}}}}")
		Resolve([]*Maker{m}, known)
		if m.From != test.from {
			t.Errorf("%s: %s", test.source, m.From)
		}
	}
}

func TestAnAmbiguousRepositoryOfADirectoryIsNotAMissingOne(t *testing.T) {
	m := newOf(t, "kustomize.toolkit.fluxcd.io/v1", "Kustomization", "{path: ./a, sourceRef: {kind: GitRepository, name: fleet}}")
	Resolve([]*Maker{m}, nil)
	if url := m.Directories[0].Source.URL; url != "" {
		t.Errorf("a missing source has the URL %q", url)
	}
	Resolve([]*Maker{m}, []Source{
		{Kind: "GitRepository", Namespace: "a", Name: "fleet", URL: "https://example.com/a"},
		{Kind: "GitRepository", Namespace: "b", Name: "fleet", URL: "https://example.com/b"},
	})
	if url := m.Directories[0].Source.URL; url != Several {
		t.Errorf("an ambiguous source has the URL %q", url)
	}
}

func TestOnlyFluxHasSources(t *testing.T) {
	about := finding.Object{Kind: "GitRepository", Name: "x"}
	if s := NewSource(about, parse(t, `{spec: {url: "https://example.com/a"}}`)); s == nil || s.URL != "https://example.com/a" {
		t.Errorf("a source is read as %v", s)
	}
	if s := NewSource(about, parse(t, "{spec: {bucketName: a}}")); s != nil {
		t.Errorf("a source without a URL is read as %v", s)
	}
	if !IsSource("source.toolkit.fluxcd.io/v1") || IsSource("example.com/v1") {
		t.Error("sources are of other groups")
	}
}
