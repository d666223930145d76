package selection

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"pillion.dev/pillion/finding"
)

// namespaceName is the label that Kubernetes puts on every namespace. It is known even if the Namespace is not in the stream.
const namespaceName = "kubernetes.io/metadata.name"

func (s *Selection) namespaceOf(c *Candidate) string { return s.injector.NamespaceOf(c.Object) }

func (s *Selection) namespaceIncluded(c *Candidate) *Decision {
	namespace, include := s.namespaceOf(c), s.spec.Namespaces.Include
	switch {
	case namespace == "" && s.exclude.Match(namespace):
		return skip(finding.NamespaceExcluded, "spec.namespaces.exclude excludes every namespace")
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
func (s *Selection) skipReserved(namespace string) *Decision {
	remedy := "to include it, add its full name to spec.namespaces.include"
	switch {
	case s.injector.IsForeign():
		remedy = "to include it, use a SidecarInjector with its full name in spec.namespaces.include"
	case len(s.spec.Namespaces.Include) == 0:
		remedy = `to include it, set spec.namespaces.include to ["*", ` + namespace + "]"
	}
	return skip(finding.NamespaceExcluded, "its namespace %s is one of Kubernetes' own, which are left alone; %s", namespace, remedy)
}

// namespaceKnown decides against a workload if its namespace, or the labels of it, would have to be known and are not certain. It is
// the last condition, so that this is the reason only for workloads that all other conditions select: a pod that opts out is
// not selected in any namespace.
func (s *Selection) namespaceKnown(c *Candidate) *Decision {
	namespace := s.namespaceOf(c)
	why, isAmbiguous := s.ambiguous[namespace]
	switch _, ok := s.labelsOf(namespace); {
	case isAmbiguous:
		return refuse(finding.NamespaceAmbiguous, "%s", why)
	case namespace != "" && !ok:
		return skipWithWarning(finding.NamespaceLabelsUnknown,
			"the labels of namespace %[1]s are not known; add the Namespace to the stream, or its labels to spec.namespaceLabels.%[1]s",
			namespace)
	case namespace != "" || !s.requiresNamespace:
		return inject
	}
	by := "-n or spec.defaultNamespace"
	if s.injector.IsForeign() {
		by = "-n"
	}
	return skip(finding.NamespaceUnknown, "it has no metadata.namespace, and the injector is only for some namespaces; "+
		"set it, or name the namespace to deploy to with %s", by)
}

// LacksNamespace reports whether a decision depends on the namespace of a workload, which is not known.
func (s *Selection) LacksNamespace(c *Candidate, d *Decision) bool {
	return s.dependsOnNamespace && s.namespaceOf(c) == "" && !c.Waits(s.injector.Name) && (d.Inject || d.Code == finding.NamespaceUnknown)
}

func (s *Selection) namespaceSelected(c *Candidate) *Decision {
	namespace := s.namespaceOf(c)
	set, ok := s.labelsOf(namespace)
	if _, isAmbiguous := s.ambiguous[namespace]; isAmbiguous {
		return inject // namespaceKnown refuses it
	}
	if namespace == "" || !ok || s.namespaceSelector.Matches(set) {
		return inject
	}
	return skip(finding.NamespaceExcluded, "the labels of namespace %s do not match spec.namespaceSelector (%s)",
		namespace, s.namespaceSelector)
}

// labelsOf returns the labels of a namespace, and whether they are known as far as the selector needs them.
func (s *Selection) labelsOf(namespace string) (namespaceLabels, bool) {
	if s.namespaceSelector.Empty() {
		return namespaceLabels{}, true
	}
	if observed, isObserved := s.around.Namespaces[namespace]; isObserved {
		return namespaceLabels{namespace, observed.Labels}, true
	}
	known, ok := s.spec.NamespaceLabels[namespace]
	return namespaceLabels{namespace, known}, ok || needsOnlyName(s.namespaceSelector)
}

// namespaceLabels are the labels that a namespace has in a cluster, as selectors read them: the API server sets its name, whatever the
// manifest has. They are not copied, because a Namespace may have very many, and each workload in it is compared with them.
type namespaceLabels struct {
	name  string
	known map[string]string
}

// Has reports whether there is a label.
func (l namespaceLabels) Has(label string) bool {
	_, exists := l.Lookup(label)
	return exists
}

// Get returns the value of a label.
func (l namespaceLabels) Get(label string) string {
	value, _ := l.Lookup(label)
	return value
}

// Lookup returns the value of a label, and whether there is one.
func (l namespaceLabels) Lookup(label string) (value string, exists bool) {
	if label == namespaceName {
		return l.name, true
	}
	value, exists = l.known[label]
	return value, exists
}

// ambiguousNamespaces returns the namespaces whose labels are not certain, with the reason: they are in the stream several times, and a
// selector selects them in one form and not in another, or they have a repeated key. Whoever adds a second Namespace must not decide
// silently about the workloads of others.
func ambiguousNamespaces(around *Surroundings, selector labels.Selector) map[string]string {
	ambiguous := map[string]string{}
	if needsOnlyName(selector) {
		return ambiguous
	}
	for name, duplicates := range around.Duplicates {
		first := around.Namespaces[name]
		matches := selector.Matches(namespaceLabels{name, first.Labels})
		for _, other := range duplicates {
			if selector.Matches(namespaceLabels{name, other.Labels}) != matches {
				ambiguous[name] = fmt.Sprintf("Namespace %s is in the input several times%s, and spec.namespaceSelector (%s) matches only some of "+
					"the labels; remove all except one, or give them the same labels", name, namedFiles(first.File, other.File), selector)
				break
			}
		}
	}
	for name, file := range around.Repeated {
		ambiguous[name] = fmt.Sprintf("Namespace %s has a repeated key%s, so that its labels, which spec.namespaceSelector (%s) needs, are not "+
			"certain; remove one of them", name, namedFiles(file, file), selector)
	}
	return ambiguous
}

// namedFiles returns the part of a message that names two files, or "" if they are not known.
func namedFiles(first, other string) string {
	switch {
	case first == "" || other == "":
		return ""
	case first == other:
		return " (" + first + ")"
	}
	return " (" + first + ", " + other + ")"
}

// needsOnlyName reports whether a selector can be applied without knowing the labels of the Namespace.
func needsOnlyName(selector labels.Selector) bool {
	requirements, _ := selector.Requirements()
	return !slices.ContainsFunc(requirements, func(r labels.Requirement) bool { return r.Key() != namespaceName })
}
