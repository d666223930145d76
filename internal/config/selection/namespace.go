package selection

import (
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/labels"
)

// namespaceName is the label that Kubernetes puts on every namespace. It is known even if the Namespace is not in the
// stream.
const namespaceName = "kubernetes.io/metadata.name"

func (s *Selection) namespaceOf(c *Candidate) string { return s.injector.NamespaceOf(c.Object) }

// includeReserved describes how to include one of Kubernetes' own namespaces.
func (s *Selection) includeReserved(c *Candidate) string {
	switch {
	case s.injector.IsForeign():
		return "use a SidecarInjector with its full name in spec.namespaces.include"
	case len(s.spec.Namespaces.Include) == 0:
		return `set spec.namespaces.include to ["*", ` + s.namespaceOf(c) + "]"
	default:
		return "add its full name to spec.namespaces.include"
	}
}

// labelsOf returns the labels of a namespace, and whether they are known as far as the selector needs them.
func (s *Selection) labelsOf(namespace string) (set labels.Set, isKnown bool) {
	if observed, isObserved := s.surroundings.Namespaces[namespace]; isObserved {
		return observed.Labels, true
	}
	if set, isKnown = s.declared[namespace]; isKnown {
		return set, true
	}
	return labels.Set{namespaceName: namespace}, needsOnlyName(s.namespaceSelector)
}

// withName returns the labels that a namespace has in a cluster: the API server sets its name, whatever the manifest
// has.
func withName(set map[string]string, name string) labels.Set {
	all := labels.Set{}
	maps.Copy(all, set)
	all[namespaceName] = name
	return all
}

// uncertainNamespaces returns the namespaces whose labels are not certain, with the reason: they are in the stream
// several times, and a selector selects them in one form and not in another, or they have a repeated key. Whoever adds
// a second Namespace must not decide silently about the workloads of others.
func uncertainNamespaces(surroundings *Surroundings, selector labels.Selector) map[string]string {
	uncertain := map[string]string{}
	if needsOnlyName(selector) {
		return uncertain
	}
	for name, duplicates := range surroundings.Duplicates {
		first := surroundings.Namespaces[name]
		matches := selector.Matches(first.Labels)
		for _, other := range duplicates {
			if selector.Matches(other.Labels) != matches {
				uncertain[name] = fmt.Sprintf(
					"Namespace %s is in the input several times%s, and spec.namespaceSelector (%s) matches only "+
						"some of the labels; remove all except one, or give them the same labels",
					name, namedFiles(first.File, other.File), selector)
				break
			}
		}
	}
	for name, file := range surroundings.Repeated {
		uncertain[name] = fmt.Sprintf(
			"Namespace %s has a repeated key%s, so that its labels, which spec.namespaceSelector (%s) needs, are not "+
				"certain; remove one of them", name, namedFiles(file, file), selector)
	}
	return uncertain
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
