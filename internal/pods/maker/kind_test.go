package maker

import (
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// parse returns the object in a text, which is written in flow style.
func parse(t *testing.T, text string) *node.Node {
	t.Helper()
	document, err := read.Document([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return document.Content[0]
}

// newOf returns the maker that an object of a kind with a spec is, or nil.
func newOf(t *testing.T, apiVersion, name, spec string) *Maker {
	t.Helper()
	kind := Find(apiVersion, name)
	if kind == nil {
		t.Fatalf("%s %s is no kind of the table", apiVersion, name)
	}
	about := finding.Object{APIVersion: apiVersion, Kind: name, Namespace: "own", Name: "x"}
	return New(kind, about, nil, parse(t, "{spec: "+spec+"}"))
}

func TestEachKindOfTheTableIsReadByItsFields(t *testing.T) {
	tests := []struct {
		apiVersion, kind, spec string
		from, namespace        string
	}{
		{
			"helm.toolkit.fluxcd.io/v2", "HelmRelease",
			"{targetNamespace: apps, chart: {spec: {chart: web, sourceRef: {kind: HelmRepository, name: shop}}}}",
			"HelmRepository/shop/web", "apps",
		},
		{
			"helm.toolkit.fluxcd.io/v2beta1", "HelmRelease", "{chartRef: {kind: OCIRepository, name: web}}",
			"OCIRepository/web", "own",
		},
		{
			"helm.fluxcd.io/v1", "HelmRelease", `{chart: {repository: "https://charts.example.com/", name: web}}`,
			"https://charts.example.com/web", "own",
		},
		{
			"helm.fluxcd.io/v1", "HelmRelease", `{chart: {git: "git@example.com:shop/charts", path: ./web}}`,
			"git@example.com:shop/charts/web", "own",
		},
		{"kustomize.toolkit.fluxcd.io/v1", "Kustomization", "{path: ./apps, targetNamespace: apps}", "./apps", "apps"},
		{"kustomize.toolkit.fluxcd.io/v1beta2", "Kustomization", "{sourceRef: {kind: GitRepository, name: x}}", "GitRepository/x", ""},
		{
			"argoproj.io/v1alpha1", "Application",
			`{source: {repoURL: "https://user:secret@charts.example.com", chart: web}, destination: {namespace: apps}}`,
			"https://charts.example.com/web", "",
		},
		{
			"argoproj.io/v1alpha1", "Application", `{sources: [{repoURL: "https://example.com/a", path: web}]}`,
			"https://example.com/a/web", "",
		},
		{
			"argoproj.io/v1alpha1", "Application",
			`{sourceHydrator: {drySource: {repoURL: "https://example.com/a", path: web}}}`, "https://example.com/a/web", "",
		},
		{"argoproj.io/v1alpha1", "ApplicationSet", "{generators: []}", "", ""},
		{
			"helm.cattle.io/v1", "HelmChart", `{repo: "https://charts.example.com", chart: web, targetNamespace: apps}`,
			"https://charts.example.com/web", "apps",
		},
		{"helm.cattle.io/v1", "HelmChart", "{chartContent: H4sI}", "", "own"},
		{"fluxcd.controlplane.io/v1", "ResourceSet", "{}", "", ""},
		{"fluxcd.controlplane.io/v1", "FluxInstance", "{}", "", ""},
		{"apiextensions.crossplane.io/v1", "Composition", "{}", "", ""},
		{
			"helm.crossplane.io/v1beta1", "Release",
			`{forProvider: {namespace: apps, chart: {repository: "https://charts.example.com", name: web}}}`,
			"https://charts.example.com/web", "apps",
		},
		{"operators.coreos.com/v1alpha1", "Subscription", "{name: web-operator}", "web-operator", ""},
		{
			"addons.cluster.x-k8s.io/v1alpha1", "HelmChartProxy",
			`{chartName: web, repoURL: "https://charts.example.com", namespace: apps}`, "https://charts.example.com/web", "apps",
		},
		{"kappctrl.k14s.io/v1alpha1", "App", "{fetch: [{git: {}}]}", "", ""},
		{"packaging.carvel.dev/v1alpha1", "PackageInstall", "{packageRef: {refName: web.example.com}}", "web.example.com", ""},
		{
			"fleet.cattle.io/v1alpha1", "GitRepo", `{repo: "https://git.example.com/shop/web", targetNamespace: apps}`,
			"https://git.example.com/shop/web", "apps",
		},
		{"fleet.cattle.io/v1alpha1", "Bundle", "{helm: {chart: web}, namespace: apps}", "", "apps"},
		{"builtin", "HelmChartInflationGenerator", "{}, name: web, repo: https://charts.example.com", "https://charts.example.com/web", ""},
	}
	seen := map[*Kind]bool{}
	for _, test := range tests {
		seen[Find(test.apiVersion, test.kind)] = true
		m := newOf(t, test.apiVersion, test.kind, test.spec)
		if m == nil {
			t.Errorf("%s %s: it is no maker", test.kind, test.spec)
		} else if m.From != test.from || m.Namespace != test.namespace {
			t.Errorf("%s %s: it is made from %q in %q", test.kind, test.spec, m.From, m.Namespace)
		}
	}
	for i := range kinds {
		if !seen[&kinds[i]] || len(kinds[i].Ways) == 0 {
			t.Errorf("%s of %s has no test or no way on", kinds[i].Name, kinds[i].Group)
		}
	}
}

func TestAnObjectWithoutItsMarksIsAPatch(t *testing.T) {
	for i := range kinds {
		kind := &kinds[i]
		m := newOf(t, kind.Group+"/v1", kind.Name, "{values: {replicas: 2}, targetNamespace: apps, chart: null}")
		if isPatch := m == nil; isPatch != (len(kind.MarkedBy) > 0) {
			t.Errorf("%s of %s: it is a patch: %v", kind.Name, kind.Group, isPatch)
		}
	}
}

func TestKindsOfOtherGroupsMakeNothing(t *testing.T) {
	for _, of := range [][2]string{
		{"kustomize.config.k8s.io/v1beta1", "Kustomization"},
		{"helm.toolkit.fluxcd.io/v2", "Kustomization"},
		{"source.toolkit.fluxcd.io/v1", "HelmChart"},
		{"messaging.knative.dev/v1", "Subscription"},
		{"v1", "Application"},
	} {
		if Find(of[0], of[1]) != nil {
			t.Errorf("%s of %s makes pods", of[1], of[0])
		}
	}
}

func TestWhatIsLongOrHasLinesIsCutVisibly(t *testing.T) {
	long := strings.Repeat("a", 300)
	for _, test := range []struct{ name, want string }{
		{`"web\nhttps://example.com"`, "web..."},
		{long, long[:maxText] + "..."},
		{"[web]", ""},
		{"null", ""},
	} {
		if m := newOf(t, "operators.coreos.com/v1", "Subscription", "{name: "+test.name+"}"); m != nil && m.From != test.want {
			t.Errorf("%.40s: %q", test.name, m.From)
		}
	}
}
