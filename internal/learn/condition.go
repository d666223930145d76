package learn

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/spelling"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// criterion is something by which pods can be told apart.
type criterion struct {
	what    string
	of      func(*Pair) string // its value for a pod; empty if it has none
	most    int                // values that can be selected
	selects func(spec *v1alpha1.SidecarInjectorSpec, values []string)
}

// condition returns a spec that selects the pairs that have the additions of the group, and not those that lack one,
// and in words what tells them apart: what a pod says of itself, its labels, its namespace, its kind, and at last its
// name. Labels and annotations that are written do not count.
func (g *group) condition(pairs []*Pair, written map[string]bool) (spec v1alpha1.SidecarInjectorSpec, words string) {
	var has, lacks []*Pair
	for _, p := range pairs {
		if isThere, matters := g.has[p]; isThere {
			has = append(has, p)
		} else if matters {
			lacks = append(lacks, p)
		}
	}
	words = fmt.Sprintf("%d of %s", len(has), spelling.Plural(len(has)+len(lacks), "pod template"))
	if len(lacks) == 0 {
		words += ", all of which have it, so every pod is selected unless you add a condition"
	} else {
		all := criteria(has, lacks, written)
		i := slices.IndexFunc(all, func(c criterion) bool { return c.tellsApart(has, lacks) })
		if i < 0 {
			i = len(all) - 1
			all[i].what = "nothing that a condition can use"
		}
		words += "; what tells them apart is " + all[i].what
		all[i].selects(&spec, distinct(has, all[i].of))
		if others := distinct(lacks, all[i].of); len(others) < len(spec.Names) {
			spec.Names, spec.ExcludeNames = nil, others
		}
	}
	system := slices.DeleteFunc(distinct(has, namespaceOf), func(name string) bool { return !strings.HasPrefix(name, "kube-") })
	if len(system) > 0 && spec.Namespaces == nil { // those are left out unless they are named
		spec.Namespaces = &v1alpha1.Namespaces{Include: append([]string{"*"}, system...)}
	}
	return spec, words
}

// tellsApart reports whether all pairs of the first list have values, none of which the others have.
func (c criterion) tellsApart(has, lacks []*Pair) bool {
	values := distinct(has, c.of)
	isBoth := func(p *Pair) bool {
		_, isThere := slices.BinarySearch(values, c.of(p))
		return isThere
	}
	return values[0] != "" && len(values) <= c.most && !slices.ContainsFunc(lacks, isBoth)
}

func namespaceOf(p *Pair) string { return p.Object.Namespace }

// distinct returns the values of pairs, sorted.
func distinct(pairs []*Pair, of func(*Pair) string) []string {
	values := map[string]bool{}
	for _, p := range pairs {
		values[of(p)] = true
	}
	return slices.Sorted(maps.Keys(values))
}

// criteria returns what may tell pairs apart, the narrowest first and names last.
func criteria(has, lacks []*Pair, written map[string]bool) (all []criterion) {
	for _, field := range []string{"annotations", "labels"} {
		for _, key := range has[0].keys(field, written) {
			all = append(all, marker(field, key, v1alpha1.PolicyDisabled))
		}
		for _, key := range lacks[0].keys(field, written) {
			if lacks[0].text(field, key) == "false" {
				all = append(all, marker(field, key, v1alpha1.PolicyEnabled))
			}
		}
	}
	for _, key := range has[0].keys("labels", written) {
		value := func(p *Pair) string { return p.text("labels", key) }
		all = append(all, criterion{"the label " + key, value, max(1, len(has)/2), func(spec *v1alpha1.SidecarInjectorSpec, values []string) {
			spec.Selector = selector(key, values)
		}})
	}
	kindOf := func(p *Pair) string {
		group, _ := pod.SplitVersion(p.Object.APIVersion)
		return group + " " + p.kind.Resource
	}
	nameOf := func(p *Pair) string { return p.Object.Name }
	return append(all,
		criterion{"the namespace", namespaceOf, len(has), func(spec *v1alpha1.SidecarInjectorSpec, values []string) {
			spec.Namespaces = &v1alpha1.Namespaces{Include: values}
		}},
		criterion{"the kind", kindOf, len(has), func(spec *v1alpha1.SidecarInjectorSpec, values []string) {
			for _, kind := range values {
				group, resource, _ := strings.Cut(kind, " ")
				spec.Rules = append(spec.Rules, v1alpha1.Rule{APIGroups: []string{group}, APIVersions: []string{"*"}, Resources: []string{resource}})
			}
		}},
		criterion{"only the name", nameOf, len(has), func(spec *v1alpha1.SidecarInjectorSpec, values []string) { spec.Names = values }})
}

// keys returns as many keys of labels or annotations as people may have, without those that are written.
func (p *Pair) keys(field string, written map[string]bool) []string {
	all := slices.DeleteFunc(node.Keys(node.Get(p.before, "metadata", field)), func(key string) bool { return written[key] })
	return all[:min(len(all), maxVariables)]
}

// text returns the value of a label or an annotation from before.
func (p *Pair) text(field, key string) string {
	return node.Text(p.at(p.before, "metadata", field, key))
}

// marker is the criterion that pods opt in or out by a label or an annotation.
func marker(field, key string, policy v1alpha1.Policy) criterion {
	isOptIn := policy == v1alpha1.PolicyDisabled
	return criterion{fmt.Sprintf("%s: \"%t\"", key, isOptIn), func(p *Pair) string {
		if text := p.text(field, key); text == "true" || text == "" && !isOptIn {
			return "selected"
		}
		return ""
	}, 1, func(spec *v1alpha1.SidecarInjectorSpec, _ []string) {
		if key != v1alpha1.DefaultMarker {
			spec.Marker = key
		}
		if isOptIn {
			spec.Policy = policy
		}
	}}
}

func selector(key string, values []string) *metav1.LabelSelector {
	if len(values) == 1 {
		return &metav1.LabelSelector{MatchLabels: map[string]string{key: values[0]}}
	}
	in := metav1.LabelSelectorRequirement{Key: key, Operator: metav1.LabelSelectorOpIn, Values: values}
	return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{in}}
}
