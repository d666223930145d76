// Package maker knows the objects and files from which pods are made elsewhere: by a controller in the cluster, such as
// that of a HelmRelease, or by a tool, such as helm from a chart. No injection reaches these pods, so that a run has to
// account for them.
package maker

import (
	"slices"
	"strconv"

	"pillion.dev/pillion/internal/pods/pod"
)

// Kind is a kind of objects or files that make pods elsewhere. Paths of fields are keys with dots between them.
type Kind struct {
	// Group is that of the API; empty for files.
	Group string
	// Name is the kind of the objects, or what the files are called.
	Name string
	// Noun is what reports call one, and Plural several.
	Noun   string
	Plural string
	// MarkedBy are the fields of which an object has one. Without any of them, it is only a patch for one.
	MarkedBy []string
	// Namespace is the field with the namespace of what is made, if the kind has one. Otherwise, it is the object's own.
	Namespace string
	// Charts are the fields with a chart.
	Charts []Chart
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
}

// Count returns a number of them in words: 3 HelmReleases.
func (k *Kind) Count(n int) string {
	if n == 1 {
		return "1 " + k.Noun
	}
	return strconv.Itoa(n) + " " + k.Plural
}

// What is done about several kinds.
const (
	renderIt   = "check what is rendered: "
	renderHelm = renderIt + "helm template CHART -f VALUES | pillion verify -f -"
)

// kinds are the kinds of objects that make pods elsewhere.
var kinds = []Kind{
	{
		Group: "helm.toolkit.fluxcd.io", Name: "HelmRelease", Noun: "HelmRelease", Plural: "HelmReleases",
		MarkedBy:  []string{"spec.chart", "spec.chartRef"},
		Namespace: "spec.targetNamespace",
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
			"add the sidecar to spec.postRenderers: pillion export flux prints the patches",
			renderIt + "render the releases with labels helm.toolkit.fluxcd.io/name and /namespace, and add -f -",
		},
	},
	{
		Group: "helm.fluxcd.io", Name: "HelmRelease", Noun: "HelmRelease of Helm Operator", Plural: "HelmReleases of Helm Operator",
		MarkedBy:  []string{"spec.chart"},
		Namespace: "spec.targetNamespace",
		Charts: []Chart{
			{Name: "spec.chart.name", Repository: "spec.chart.repository"},
			{Name: "spec.chart.path", Repository: "spec.chart.git"},
		},
		Ways: []string{renderHelm},
	},
	{
		Group: "kustomize.toolkit.fluxcd.io", Name: "Kustomization", Noun: "Flux Kustomization", Plural: "Flux Kustomizations",
		MarkedBy:  []string{"spec.path", "spec.sourceRef"},
		Namespace: "spec.targetNamespace",
		Directory: true,
		Ways:      []string{"read or build the directory of its spec.path in the same run"},
	},
	{
		Group: "argoproj.io", Name: "Application", Noun: "Application", Plural: "Applications",
		MarkedBy:  []string{"spec.source", "spec.sources", "spec.sourceHydrator"},
		Namespace: "spec.destination.namespace",
		Charts:    []Chart{{Name: "spec.source.chart", Repository: "spec.source.repoURL"}},
		Directory: true,
		Ways: []string{
			"read or build the directory of its spec.source.path in the same run",
			renderIt + "argocd app manifests NAME | pillion verify -f -",
		},
	},
	{
		Group: "argoproj.io", Name: "ApplicationSet", Noun: "ApplicationSet", Plural: "ApplicationSets",
		MarkedBy: []string{"spec.generators"},
		Charts:   []Chart{{Name: "spec.template.spec.source.chart", Repository: "spec.template.spec.source.repoURL"}},
		Ways:     []string{"run Pillion where its Applications are rendered (docs/get-started/argocd.md)"},
	},
	{
		Group: "helm.cattle.io", Name: "HelmChart", Noun: "HelmChart of k3s", Plural: "HelmCharts of k3s",
		MarkedBy:  []string{"spec.chart", "spec.chartContent"},
		Namespace: "spec.targetNamespace",
		Charts:    []Chart{{Name: "spec.chart", Repository: "spec.repo"}},
		Ways:      []string{renderHelm},
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
		Ways:      []string{renderHelm},
	},
	{
		Group: "operators.coreos.com", Name: "Subscription", Noun: "Subscription of OLM", Plural: "Subscriptions of OLM",
		MarkedBy: []string{"spec.name"},
		Charts:   []Chart{{Name: "spec.name"}},
		Ways:     []string{"inject into the custom resources of the operator, or at admission (docs/how-to/admission.md)"},
	},
}

// Find returns the kind of an object that may make pods elsewhere, or nil.
func Find(apiVersion, name string) *Kind {
	group, _ := pod.SplitVersion(apiVersion)
	at := slices.IndexFunc(kinds, func(k Kind) bool { return k.Group == group && k.Name == name })
	if at < 0 {
		return nil
	}
	return &kinds[at]
}
