// Package maker knows the objects and files from which pods are made elsewhere: by a controller in the cluster, such as
// that of a HelmRelease, or by a tool, such as helm from a chart. No injection reaches these pods, so that a run has to
// account for them.
package maker

import (
	"cmp"
	"slices"
	"strconv"

	"pillion.dev/pillion/internal/pods/pod"
)

// Kind is a kind of objects or files that make pods elsewhere. Paths of fields are keys with dots between them.
type Kind struct {
	// Group is that of the API, or the version if it has no group; empty for files.
	Group string
	// Name is the kind of the objects, or what the files are called.
	Name string
	// Noun is what reports call one, and Plural several.
	Noun   string
	Plural string
	// MarkedBy are the fields of which an object has one. Without any of them, it is only a patch for one.
	MarkedBy []string
	// Namespace is the field with the namespace of what is made, if the kind has one. Without, what is made may be in any.
	Namespace string
	// InOwnNamespace is whether what is made is in the namespace of the object, unless the field says another one.
	InOwnNamespace bool
	// Charts are the fields with a chart.
	Charts []Chart
	// Others are fields that say what is made, too, in a way that is not read.
	Others []string
	// Directory is whether it may be made from a directory of a repository, see Maker.Directories.
	Directory bool
	// Ways are what to do about it, besides covering it.
	Ways []string
}

// Chart says in which fields a kind has the name of a chart, and where the chart comes from.
type Chart struct {
	// Name is the field with its name. It is empty if the source is the chart.
	Name string
	// Repository is the field with the URL of the repository. It is empty if the source is another object.
	Repository string
	// SourceKind, SourceName and SourceNamespace are the fields that refer to that object.
	SourceKind      string
	SourceName      string
	SourceNamespace string
	// Revision is the field with the revision of a repository of git.
	Revision string
}

// IsRelease reports whether it is the HelmReleases of Flux.
func (k *Kind) IsRelease() bool { return k.Group == pod.Release.Group }

// Count returns a number of them in words: 3 HelmReleases.
func (k *Kind) Count(n int) string {
	if n == 1 {
		return "1 " + k.Noun
	}
	return strconv.Itoa(n) + " " + k.Plural
}

// What is done about several kinds.
const (
	renderIt    = "check what is rendered: "
	renderHelm  = renderIt + "helm template CHART -f VALUES | pillion verify -f -"
	renderYtt   = renderIt + "ytt -f DIR | kbld -f - | pillion verify -f -"
	renderFleet = renderIt + "fleet apply -o - NAME | pillion verify -f -"
)

// kinds are the kinds of objects that make pods elsewhere.
var kinds = []Kind{
	{
		Group: pod.Release.Group, Name: pod.Release.Kind, Noun: "HelmRelease", Plural: "HelmReleases",
		MarkedBy:       []string{"spec.chart", "spec.chartRef"},
		Namespace:      "spec.targetNamespace",
		InOwnNamespace: true,
		Charts: []Chart{
			{
				Name:            "spec.chart.spec.chart",
				SourceKind:      "spec.chart.spec.sourceRef.kind",
				SourceName:      "spec.chart.spec.sourceRef.name",
				SourceNamespace: "spec.chart.spec.sourceRef.namespace",
			},
			{
				SourceKind:      "spec.chartRef.kind",
				SourceName:      "spec.chartRef.name",
				SourceNamespace: "spec.chartRef.namespace",
			},
		},
		Ways: []string{
			"add the sidecar to spec.postRenderers: set spec.helmReleases to Patch, and inject",
			renderIt + "render the releases with labels helm.toolkit.fluxcd.io/name and /namespace, and add -f -",
		},
	},
	{
		Group: "helm.fluxcd.io", Name: "HelmRelease", Noun: "HelmRelease of Helm Operator", Plural: "HelmReleases of Helm Operator",
		MarkedBy:       []string{"spec.chart"},
		Namespace:      "spec.targetNamespace",
		InOwnNamespace: true,
		Charts: []Chart{
			{Name: "spec.chart.name", Repository: "spec.chart.repository"},
			{Name: "spec.chart.path", Repository: "spec.chart.git", Revision: "spec.chart.ref"},
		},
		Ways: []string{renderHelm},
	},
	{
		Group: "kustomize.toolkit.fluxcd.io", Name: "Kustomization", Noun: "Flux Kustomization", Plural: "Flux Kustomizations",
		MarkedBy:  []string{"spec.path", "spec.sourceRef"},
		Namespace: "spec.targetNamespace",
		Directory: true,
		Ways:      []string{"build the directory of its spec.path in the same run; read it if it has no kustomization"},
	},
	{
		Group: "argoproj.io", Name: "Application", Noun: "Application", Plural: "Applications",
		MarkedBy:  []string{"spec.source", "spec.sources", "spec.sourceHydrator"},
		Directory: true,
		Ways: []string{
			"build the directory of its spec.source.path in the same run; read it if it has no kustomization",
			renderIt + "argocd app manifests NAME | pillion verify -f -",
		},
	},
	{
		Group: "argoproj.io", Name: "ApplicationSet", Noun: "ApplicationSet", Plural: "ApplicationSets",
		MarkedBy: []string{"spec.generators"},
		Ways:     []string{"run Pillion where its Applications are rendered (docs/get-started/argocd.md)"},
	},
	{
		Group: "helm.cattle.io", Name: "HelmChart", Noun: "HelmChart of k3s", Plural: "HelmCharts of k3s",
		MarkedBy:       []string{"spec.chart", "spec.chartContent"},
		Namespace:      "spec.targetNamespace",
		InOwnNamespace: true,
		Charts:         []Chart{{Name: "spec.chart", Repository: "spec.repo"}},
		Others:         []string{"spec.chartContent"},
		Ways:           []string{renderHelm},
	},
	{
		Group: "fluxcd.controlplane.io", Name: "ResourceSet", Noun: "ResourceSet", Plural: "ResourceSets",
		Ways: []string{renderIt + "flux-operator build rset -f FILE | pillion verify -f -"},
	},
	{
		Group: "fluxcd.controlplane.io", Name: "FluxInstance", Noun: "FluxInstance", Plural: "FluxInstances",
		Ways: []string{renderIt + "flux-operator build instance -f FILE | pillion verify -f -"},
	},
	{
		Group: "apiextensions.crossplane.io", Name: "Composition", Noun: "Composition of Crossplane", Plural: "Compositions of Crossplane",
		Ways: []string{renderIt + "crossplane render XR COMPOSITION FUNCTIONS | pillion verify -f -"},
	},
	{
		Group: "helm.crossplane.io", Name: "Release", Noun: "Release of Crossplane", Plural: "Releases of Crossplane",
		MarkedBy:  []string{"spec.forProvider.chart"},
		Namespace: "spec.forProvider.namespace",
		Charts:    []Chart{{Name: "spec.forProvider.chart.name", Repository: "spec.forProvider.chart.repository"}},
		Others:    []string{"spec.forProvider.chart.url"},
		Ways:      []string{renderHelm},
	},
	{
		Group: "operators.coreos.com", Name: "Subscription", Noun: "Subscription of OLM", Plural: "Subscriptions of OLM",
		MarkedBy: []string{"spec.name"},
		Charts:   []Chart{{Name: "spec.name"}},
		Ways:     []string{"inject into the custom resources of the operator, or at admission (docs/how-to/admission.md)"},
	},
	{
		Group: "addons.cluster.x-k8s.io", Name: "HelmChartProxy", Noun: "HelmChartProxy", Plural: "HelmChartProxies",
		MarkedBy:  []string{"spec.chartName"},
		Namespace: "spec.namespace",
		Charts:    []Chart{{Name: "spec.chartName", Repository: "spec.repoURL"}},
		Ways:      []string{renderHelm},
	},
	{
		Group: "kappctrl.k14s.io", Name: "App", Noun: "App of kapp-controller", Plural: "Apps of kapp-controller",
		MarkedBy: []string{"spec.fetch"},
		Ways:     []string{renderYtt},
	},
	{
		Group: "packaging.carvel.dev", Name: "PackageInstall", Noun: "PackageInstall", Plural: "PackageInstalls",
		MarkedBy: []string{"spec.packageRef"},
		Charts:   []Chart{{Name: "spec.packageRef.refName"}},
		Ways:     []string{renderYtt},
	},
	{
		Group: "fleet.cattle.io", Name: "GitRepo", Noun: "GitRepo of Rancher Fleet", Plural: "GitRepos of Rancher Fleet",
		MarkedBy:  []string{"spec.repo"},
		Namespace: "spec.targetNamespace",
		Charts:    []Chart{{Name: "spec.repo"}},
		Others:    []string{"spec.revision"},
		Ways:      []string{renderFleet},
	},
	{
		Group: "fleet.cattle.io", Name: "Bundle", Noun: "Bundle of Rancher Fleet", Plural: "Bundles of Rancher Fleet",
		MarkedBy:  []string{"spec.resources", "spec.helm", "spec.kustomize", "spec.targets"},
		Namespace: "spec.namespace",
		Ways:      []string{renderFleet},
	},
	{
		Group: "builtin", Name: "HelmChartInflationGenerator",
		Noun: "HelmChartInflationGenerator of kustomize", Plural: "HelmChartInflationGenerators of kustomize",
		Namespace: "namespace",
		Charts:    []Chart{{Name: "name", Repository: "repo"}},
		Ways:      []string{renderIt + "kustomize build --enable-helm DIR | pillion verify -f -"},
	},
}

// Find returns the kind of an object that may make pods elsewhere, or nil.
func Find(apiVersion, name string) *Kind {
	group, version := pod.SplitVersion(apiVersion)
	group = cmp.Or(group, version) // builtin
	at := slices.IndexFunc(kinds, func(k Kind) bool { return k.Group == group && k.Name == name })
	if at < 0 {
		return nil
	}
	return &kinds[at]
}
