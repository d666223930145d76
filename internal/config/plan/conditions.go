package plan

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/config/injector"
)

// conditions returns the conditions of an injector, in the order in which selections check them.
func conditions(in *injector.Injector) (all []Condition) {
	add := func(isSet bool, format string, args ...any) {
		if isSet {
			all = append(all, Condition{Text: fmt.Sprintf(format, args...)})
		}
	}
	spec := &in.Spec
	whose := map[v1alpha1.SelectorScope]string{
		v1alpha1.ScopePodTemplate: "of the pod", v1alpha1.ScopeWorkload: "of the workload", v1alpha1.ScopeAny: "of the pod or its workload",
	}[spec.SelectorScope]
	for i := range spec.NeverInjectSelector {
		add(true, "the labels %s do not match %s", whose, selector(&spec.NeverInjectSelector[i]))
	}
	names := spec.Namespaces
	add(len(names.Include) > 0, "the namespace is %s", either(names.Include))
	if out := slices.Concat(names.Exclude, names.ReservedNamespaces()); len(out) > 0 {
		add(true, "the namespace is not %s", either(out))
	}
	add(spec.NamespaceSelector != nil, "the labels of the namespace match %s", selector(spec.NamespaceSelector))
	resources := make([]string, len(spec.Rules))
	for i, rule := range spec.Rules {
		group, version := strings.Join(rule.APIGroups, ","), strings.Join(rule.APIVersions, ",")
		resources[i] = strings.Join(rule.Resources, ",") + "." + version + "." + group
	}
	add(len(resources) > 0, "the workload is one of %s", either(resources))
	add(len(spec.Names) > 0, "the name of the workload matches %s", either(spec.Names))
	add(len(spec.ExcludeNames) > 0, "the name of the workload does not match %s", either(spec.ExcludeNames))
	add(spec.Selector != nil, "the labels %s match %s", whose, selector(spec.Selector))
	isOptIn := spec.Policy == v1alpha1.PolicyDisabled
	add(isOptIn, "the marker %s is \"true\", or names %s", spec.Marker, in.Name)
	add(!isOptIn, "the marker %s is not \"false\", and does not name only other injectors", spec.Marker)
	add(in.Paused, "never, because the injector is paused")
	for _, policy := range []struct{ value, text string }{
		{string(spec.HostNetwork), "the pod does not use the host's network"},
		{string(spec.Jobs), "the pod is not meant to finish"},
		{string(spec.HelmHooks), "the workload is no Helm hook"},
	} {
		if policy.value == "Skip" || policy.value == "Error" {
			all = append(all, Condition{Text: policy.text, Refuses: policy.value == "Error"})
		}
	}
	return all
}

func selector(s *metav1.LabelSelector) string { return metav1.FormatLabelSelector(s) }

// either returns alternatives: a, b or c.
func either(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
