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

func (s *Selection) namespaceOf(c Candidate) string { return s.injector.NamespaceOf(c.Object) }

func (s *Selection) namespaceIncluded(c Candidate) Decision {
	namespace, include := s.namespaceOf(c), s.spec.Namespaces.Include
	switch {
	case s.exclude.Match(namespace):
		return skip(finding.NamespaceExcluded, "its namespace %s is in spec.namespaces.exclude (%s)",
			namespace, strings.Join(s.spec.Namespaces.Exclude, ", "))
	case slices.Contains(s.reserved, namespace):
		return s.skipReserved(namespace)
	case len(include) == 0 || namespace == "" || s.include.Match(namespace):
		return inject
	}
	return skip(finding.NamespaceExcluded, "its namespace %s is not in spec.namespaces.include (%s)", namespace, strings.Join(include, ", "))
}

// skipReserved decides against one of Kubernetes' own namespaces, and describes how to include it.
func (s *Selection) skipReserved(namespace string) Decision {
	remedy := "to include it, add its full name to spec.namespaces.include"
	switch {
	case s.isForeign:
		remedy = "to include it, use a SidecarInjector with its full name in spec.namespaces.include"
	case len(s.spec.Namespaces.Include) == 0:
		remedy = `to include it, set spec.namespaces.include to ["*", ` + namespace + "]"
	}
	return skip(finding.NamespaceExcluded, "its namespace %s is one of Kubernetes' own, which are left alone; %s", namespace, remedy)
}

// namespaceKnown decides against a workload whose namespace is not known, if the injector is only for some namespaces. It is
// the last condition, so that this is the reason only for workloads that all other conditions select.
func (s *Selection) namespaceKnown(c Candidate) Decision {
	if s.requiresNamespace && s.namespaceOf(c) == "" {
		return skip(finding.NamespaceUnknown, "it has no metadata.namespace, and the injector is only for some namespaces; "+
			"set it, or name the namespace to deploy to with -n")
	}
	return inject
}

// LacksNamespace reports whether a decision depends on the namespace of a workload, which is not known.
func (s *Selection) LacksNamespace(c Candidate, d Decision) bool {
	return s.dependsOnNamespace && s.namespaceOf(c) == "" && !c.Waits(s.name) && (d.Inject || d.Code == finding.NamespaceUnknown)
}

func (s *Selection) namespaceSelected(c Candidate) Decision {
	namespace := s.namespaceOf(c)
	if s.spec.NamespaceSelector == nil || s.namespaceSelector.Empty() || namespace == "" {
		return inject
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
