package pod

import (
	"cmp"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// PostRenderers is the list in the spec of a HelmRelease with what Flux's controller does to what its chart makes.
const PostRenderers = "postRenderers"

// Release is the kind of Flux's HelmReleases. Their pods are in no manifest, so they hold pods only where an injector
// adds entries to their PostRenderers: then the object itself stands for the pod template, with the stamps.
var Release = Kind{
	Group:      "helm.toolkit.fluxcd.io",
	Kind:       "HelmRelease",
	Resource:   "helmreleases",
	Paths:      []string{""},
	IsDeclared: true,
	Partial:    true,
	IsRelease:  true,
}

// NamespaceOfPods returns the namespace that a workload puts its pods into, given its own.
func (k Kind) NamespaceOfPods(workload *node.Node, own string) string {
	if !k.IsRelease {
		return own
	}
	return cmp.Or(node.Text(workload, "spec", "targetNamespace"), own)
}

// stampedName returns the name in the first stamp that the patches of a post-renderer write: that of the injector
// whose entry it is. It is empty if there is none.
func stampedName(entry *node.Node) string {
	for _, patch := range node.List(entry, "kustomize", "patches") {
		if _, name, isStamped := strings.Cut(node.Text(patch, "patch"), v1alpha1.StampPrefix); isStamped {
			return name[:len(name)-len(strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz0123456789.-"))]
		}
	}
	return ""
}
