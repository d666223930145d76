package selection

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"pillion.dev/pillion/finding"
)

// namespaceName is the label that Kubernetes puts on every namespace. It is known even if the Namespace is not in the stream.
const namespaceName = "kubernetes.io/metadata.name"

func (s *Selection) namespaceIncluded(c Candidate) Decision {
	if s.spec.Namespaces == nil {
		return inject
	}
	include, exclude := s.spec.Namespaces.Include, s.spec.Namespaces.Exclude
	namespace := c.Object.Namespace
	switch {
	case slices.Contains(exclude, namespace):
		return skip(finding.NamespaceExcluded, "its namespace %s is in spec.namespaces.exclude", namespace)
	case len(include) == 0 || slices.Contains(include, namespace):
		return inject
	case namespace == "":
		return skip(finding.NamespaceExcluded, "it has no metadata.namespace, and spec.namespaces.include requires one of %s",
			strings.Join(include, ", "))
	default:
		return skip(finding.NamespaceExcluded, "its namespace %s is not in spec.namespaces.include (%s)",
			namespace, strings.Join(include, ", "))
	}
}

func (s *Selection) namespaceSelected(c Candidate) Decision {
	if s.spec.NamespaceSelector == nil || s.namespaceSelector.Empty() {
		return inject
	}
	namespace := c.Object.Namespace
	if namespace == "" {
		return skipWithWarning(finding.NamespaceLabelsUnknown,
			"it has no metadata.namespace, so spec.namespaceSelector cannot be applied; set one")
	}
	known, ok := s.around.Namespaces[namespace]
	if !ok {
		known, ok = s.spec.NamespaceLabels[namespace]
	}
	if !ok && !needsOnlyName(s.namespaceSelector) {
		return skipWithWarning(finding.NamespaceLabelsUnknown,
			"the labels of namespace %[1]s are not known; add the Namespace to the stream, or its labels to spec.namespaceLabels.%[1]s",
			namespace)
	}
	set := labels.Set{namespaceName: namespace}
	maps.Copy(set, known)
	if s.namespaceSelector.Matches(set) {
		return inject
	}
	return skip(finding.NamespaceExcluded, "the labels of namespace %s do not match spec.namespaceSelector (%s)",
		namespace, s.namespaceSelector)
}

// needsOnlyName reports whether a selector can be applied without knowing the labels of the Namespace.
func needsOnlyName(selector labels.Selector) bool {
	requirements, _ := selector.Requirements()
	return !slices.ContainsFunc(requirements, func(r labels.Requirement) bool { return r.Key() != namespaceName })
}
