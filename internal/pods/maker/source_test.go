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
		{Kind: "HelmRepository", Namespace: "a", Name: "mixed", URL: "https://a.example.com"},
		{Kind: "HelmRepository", Name: "mixed", URL: "https://b.example.com"},
	}
	for _, test := range []struct{ namespace, name, from string }{
		{"flux-system", "shop", "https://charts.example.com/web"},
		{"", "shop", "https://charts.example.com/web"}, // a kustomization may set it
		{"apps", "shop", "HelmRepository/shop/web"},
		{"apps", "bare", "https://bare.example.com/web"},
		{"b", "twice", "https://b.example.com/web"},
		{"", "twice", "HelmRepository/twice/web"},
		{"", "same", "https://same.example.com/web"},
		{"a", "mixed", "HelmRepository/mixed/web"}, // either may be meant
		{"c", "mixed", "https://b.example.com/web"},
		{"", "unknown", "HelmRepository/unknown/web"},
	} {
		about := finding.Object{Namespace: test.namespace, Name: "x"}
		m := New(Find("helm.toolkit.fluxcd.io/v2", "HelmRelease"), about, nil,
			parse(t, "{spec: {chart: {spec: {chart: web, sourceRef: {kind: HelmRepository, name: "+test.name+"}}}}}"))
		Resolve([]*Maker{m}, known)
		if m.From != test.from {
			t.Errorf("%s in %q: %s", test.name, test.namespace, m.From)
		}
	}
}

func TestADirectoryHasWhatAllSourcesOfTheNameSay(t *testing.T) {
	m := newOf(t, "kustomize.toolkit.fluxcd.io/v1", "Kustomization", "{path: ./a, sourceRef: {kind: GitRepository, name: fleet}}")
	read := func(namespace, spec string) Source {
		return *NewSource(finding.Object{Kind: GitRepository, Namespace: namespace, Name: "fleet"}, "a.yaml", parse(t, "{spec: "+spec+"}"))
	}
	here := read("own", `{url: "https://example.com/a", ref: {branch: main}, interval: 1m, secretRef: {name: x}, timeout: null}`)
	for _, test := range []struct {
		claim, why string
		known      []Source
	}{
		{"none", "", nil},
		{"one", "", []Source{here}},
		{"one twice, in a file and in what is built", "", []Source{here, here}},
		{"one elsewhere", "", []Source{here, read("other", `{url: "https://example.com/b"}`)}},
		{"another URL", "there are several GitRepository/fleet, which differ", []Source{here, read("own", `{url: "https://example.com/b"}`)}},
		{
			"one that may be meant", "there are several GitRepository/fleet, which differ",
			[]Source{here, read("", `{url: "https://example.com/a"}`)},
		},
		{
			"one that cannot be read", "there are several GitRepository/fleet, which differ",
			[]Source{here, *UnreadableSource(finding.Object{Kind: GitRepository, Namespace: "own", Name: "fleet"}, "a.yaml")},
		},
		{
			"only that", "GitRepository/fleet cannot be read",
			[]Source{*UnreadableSource(finding.Object{Kind: GitRepository, Namespace: "own", Name: "fleet"}, "a.yaml")},
		},
		{
			"a commit", "spec.ref.commit of GitRepository/fleet changes what it builds",
			[]Source{read("own", "{url: a, ref: {branch: b, commit: c}}")},
		},
		{
			"a proxy", "spec.proxySecretRef of GitRepository/fleet changes what it builds",
			[]Source{read("own", "{url: a, proxySecretRef: {name: b}}")},
		},
		{
			"what is left out or added", "spec.ignore, spec.include of GitRepository/fleet change what it builds",
			[]Source{read("own", "{url: a, ignore: x, include: []}")},
		},
	} {
		Resolve([]*Maker{m}, test.known)
		got := m.Directories[0].Source
		isKnown := len(test.known) > 0 && test.why == ""
		if got.Why != test.why || isKnown != (got.URL == here.URL && got.Branch == "main") || got.Name != "fleet" {
			t.Errorf("%s: %+v", test.claim, got)
		}
	}
}

func TestOnlyFluxHasSources(t *testing.T) {
	about := finding.Object{Kind: "GitRepository", Name: "x"}
	if s := NewSource(about, "", parse(t, `{spec: {url: "https://example.com/a"}}`)); s == nil || s.URL != "https://example.com/a" {
		t.Errorf("a source is read as %v", s)
	}
	if s := NewSource(about, "", parse(t, "{spec: {bucketName: a}}")); s != nil {
		t.Errorf("a source without a URL is read as %v", s)
	}
	if !IsSource("source.toolkit.fluxcd.io/v1") || IsSource("example.com/v1") {
		t.Error("sources are of other groups")
	}
}
