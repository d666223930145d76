package selection

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"pillion.dev/pillion/finding"
)

// namespaceName is the label that Kubernetes itself puts on every namespace, so that it
// is known even where the Namespace is not in the stream.
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
		return skip(finding.NamespaceExcluded, "it has no metadata.namespace, and spec.namespaces.include wants one of %s", strings.Join(include, ", "))
	default:
		return skip(finding.NamespaceExcluded, "its namespace %s is not in spec.namespaces.include (%s)", namespace, strings.Join(include, ", "))
	}
}

func (s *Selection) namespaceSelected(c Candidate) Decision {
	if s.spec.NamespaceSelector == nil || s.namespaceSelector.Empty() {
		return inject
	}
	namespace := c.Object.Namespace
	if namespace == "" {
		return skipLoudly(finding.NamespaceLabelsUnknown, "it has no metadata.namespace, so spec.namespaceSelector cannot be asked; set one")
	}
	known, ok := s.around.Namespaces[namespace]
	if !ok {
		known, ok = s.spec.NamespaceLabels[namespace]
	}
	if !ok && !asksOnlyTheName(s.namespaceSelector) {
		return skipLoudly(finding.NamespaceLabelsUnknown,
			"the labels of namespace %[1]s are not known; add the Namespace to the stream, or its labels to spec.namespaceLabels.%[1]s", namespace)
	}
	set := labels.Set{namespaceName: namespace}
	maps.Copy(set, known)
	if s.namespaceSelector.Matches(set) {
		return inject
	}
	return skip(finding.NamespaceExcluded, "the labels of namespace %s do not match spec.namespaceSelector (%s)", namespace, s.namespaceSelector)
}

func asksOnlyTheName(selector labels.Selector) bool {
	requirements, _ := selector.Requirements()
	return !slices.ContainsFunc(requirements, func(r labels.Requirement) bool { return r.Key() != namespaceName })
}
