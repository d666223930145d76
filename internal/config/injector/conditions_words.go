package injector

import (
	"os"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"pillion.dev/pillion/api/v1alpha1"
)

var whoseLabels = map[v1alpha1.SelectorScope]string{
	v1alpha1.ScopePodTemplate: "of the pod",
	v1alpha1.ScopeWorkload:    "of the workload",
}

// conditionsInWords returns the conditions as people read them.
func (p Plan) conditionsInWords() (lines []string) {
	for _, c := range p.Conditions() {
		words := os.Expand(c.Words, func(name string) string {
			return map[string]string{
				"whose":    whoseLabels[p.Spec.SelectorScope],
				"values":   valuesInWords(c),
				"marker":   p.Spec.Marker,
				"injector": p.Name,
			}[name]
		})
		switch {
		case c.Kind == OnNamespaces:
			lines = append(lines, namespacesInWords(p.Spec.Namespaces)...)
		case words != "" && c.Refuses():
			lines = append(lines, words+"; otherwise it is refused")
		case words != "":
			lines = append(lines, words)
		}
	}
	return lines
}

func namespacesInWords(names *v1alpha1.Namespaces) (lines []string) {
	if len(names.Include) > 0 {
		lines = append(lines, "the namespace is "+either(names.Include))
	}
	if out := slices.Concat(names.Exclude, names.ReservedNamespaces()); len(out) > 0 {
		lines = append(lines, "the namespace is not "+either(out))
	}
	return lines
}

// valuesInWords returns the values that a condition compares with.
func valuesInWords(c Condition) string {
	if c.Selector != nil {
		return metav1.FormatLabelSelector(c.Selector)
	}
	all := slices.Clone(c.Names)
	for _, rule := range c.Rules {
		group := strings.Join(rule.APIGroups, ",")
		version := strings.Join(rule.APIVersions, ",")
		all = append(all, strings.Join(rule.Resources, ",")+"."+version+"."+group)
	}
	return either(all)
}

// either returns alternatives: a, b or c.
func either(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
