package maker

import (
	"testing"

	"pillion.dev/pillion/finding"
)

func TestAChartIsInDoubtIfItIsNotAllThatIsUsed(t *testing.T) {
	const (
		flux  = "helm.toolkit.fluxcd.io/v2"
		argo  = "argoproj.io/v1alpha1"
		good  = `repoURL: "https://charts.example.com", chart: good`
		other = `repoURL: "https://other.example.com", path: x`
		apps  = `repoURL: "https://git.example.com/charts", path: good`
	)
	sourceOf := func(kind, spec string) Source {
		return *NewSource(finding.Object{Kind: kind, Namespace: "own", Name: "x"}, "a.yaml", parse(t, "{spec: "+spec+"}"))
	}
	from := func(kind, chart string) string {
		return "{chart: {spec: {chart: " + chart + ", sourceRef: {kind: " + kind + ", name: x}}}}"
	}
	for _, test := range []struct {
		apiVersion, kind, spec string
		sources                []Source
		doubt                  string
	}{
		{argo, "Application", "{source: {" + good + "}}", nil, ""},
		{argo, "Application", "{sources: [{" + good + "}, {repoURL: a, ref: values}]}", nil, ""},
		{argo, "Application", "{source: {" + apps + ", targetRevision: v1.2}}", nil, ""},
		{argo, "Application", "{source: {" + good + "}, sources: [{" + other + "}]}", nil, "it has several sources"},
		{argo, "Application", "{sources: [{" + apps + "}, {" + other + "}]}", nil, "it has several sources"},
		{argo, "Application", "{source: {" + good + "}, sourceHydrator: {drySource: {" + other + "}}}", nil, "it has several sources"},
		{argo, "Application", "{source: {" + apps + ", targetRevision: refs/heads/main}}", nil, ""},
		{
			argo, "Application", "{source: {" + apps + ", targetRevision: pull/66/head}}", nil,
			"its revision pull/66/head may be of a pull request",
		},
		{
			argo, "Application", "{source: {" + apps + ", targetRevision: 1f0c1d2e}}", nil,
			"its revision 1f0c1d2e may be of a pull request",
		},
		{
			"helm.cattle.io/v1", "HelmChart", "{chart: good, repo: https://charts.example.com, chartContent: ZXZpbA==}", nil,
			"spec.chartContent says what it is made from, too",
		},
		{
			"helm.crossplane.io/v1beta1", "Release", "{forProvider: {chart: {name: good, url: https://other.example.com/x.tgz}}}", nil,
			"spec.forProvider.chart.url says what it is made from, too",
		},
		{
			"helm.fluxcd.io/v1", "HelmRelease", "{chart: {repository: https://charts.example.com, name: good, git: https://other.example.com}}",
			nil, "it has several sources",
		},
		{flux, "HelmRelease", "{chart: {spec: {chart: good}}, chartRef: {kind: OCIRepository, name: x}}", nil, "it has several sources"},
		{flux, "HelmRelease", from("HelmRepository", "../../x"), nil, "its path leads elsewhere"},
		{flux, "HelmRelease", from("GitRepository", "x"), []Source{sourceOf("GitRepository", "{url: a, ref: {tag: v1}}")}, ""},
		{
			flux, "HelmRelease", from("GitRepository", "x"),
			[]Source{sourceOf("GitRepository", "{url: a, ref: {name: refs/pull/66/head}}")},
			"spec.ref.name of GitRepository/x changes what it builds",
		},
		{
			flux, "HelmRelease", from("HelmRepository", "x"),
			[]Source{sourceOf("HelmRepository", "{url: a}"), sourceOf("HelmRepository", "{url: b}")},
			"there are several HelmRepository/x, which differ",
		},
		{
			flux, "HelmRelease", "{chartRef: {kind: HelmChart, name: x}}",
			[]Source{sourceOf("HelmChart", "{url: a, chart: b}")},
			"what is in HelmChart/x is said by other fields than a URL",
		},
	} {
		m := newOf(t, test.apiVersion, test.kind, test.spec)
		Resolve([]*Maker{m}, test.sources)
		if got := m.Doubt(); got != test.doubt {
			t.Errorf("%s %s: %q", test.kind, test.spec, got)
		}
	}
}

func TestTheHostOfAURLEndsBeforeItsPath(t *testing.T) {
	for url, want := range map[string]string{
		"https://a:b@example.com/c@d":             "https://example.com/c@d",
		"https://example.org?@charts.example.com": "https://example.org?@charts.example.com",
		`https://example.org\@charts.example.com`: `https://example.org\@charts.example.com`,
		"https://example.org#@charts.example.com": "https://example.org#@charts.example.com",
	} {
		if got := withoutUser(url); got != want {
			t.Errorf("%s is %s", url, got)
		}
	}
}
