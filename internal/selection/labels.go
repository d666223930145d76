package selection

import (
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/labels"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/spelling"
)

func (s *Selection) neverInject(c Candidate) Decision {
	for i, never := range s.never {
		if slices.ContainsFunc(s.labelSets(c), func(set labels.Set) bool { return never.Matches(set) }) {
			return skip(finding.NeverSelector, "its labels match spec.neverInjectSelector[%d] (%s)", i, never)
		}
	}
	return inject
}

func (s *Selection) labelsMatch(c Candidate) Decision {
	sets := s.labelSets(c)
	if slices.ContainsFunc(sets, func(set labels.Set) bool { return s.selector.Matches(set) }) {
		return inject
	}
	const mismatch = "its labels (%s) do not match spec.selector (%s)"
	if s.spec.SelectorScope == v1alpha1.ScopePodTemplate && s.selector.Matches(c.workloadLabels) {
		return skipWithWarning(finding.SelectorMismatch, mismatch+", although the labels of the workload do; "+
			"label the pod template, or set spec.selectorScope to Any", labelText(sets[0]), s.selector)
	}
	if c.Template.Broken != nil && len(c.podLabels) == 0 { // the labels are not the mistake
		return skip(finding.SelectorMismatch, mismatch+"; %s", labelText(sets[0]), s.selector, c.Template.Broken)
	}
	return skip(finding.SelectorMismatch, mismatch, labelText(sets[0]), s.selector)
}

// labelText is labels as a message shows them.
type labelText labels.Set

func (t labelText) String() string {
	if len(t) == 0 {
		return "none"
	}
	const most = 200
	if text := labels.Set(t).String(); len(text) <= most {
		return text
	}
	return fmt.Sprintf("%d of them", len(t))
}

// labelSets returns the sets of labels of which one must match.
func (s *Selection) labelSets(c Candidate) []labels.Set {
	switch s.spec.SelectorScope {
	case v1alpha1.ScopeWorkload:
		return []labels.Set{c.workloadLabels}
	case v1alpha1.ScopeAny:
		return []labels.Set{c.podLabels, c.workloadLabels}
	default:
		return []labels.Set{c.podLabels}
	}
}

// LabelsOf returns the labels that the selector applies to, each as key=value.
func (s *Selection) LabelsOf(c Candidate) map[string]bool {
	all := map[string]bool{}
	for _, set := range s.labelSets(c) {
		for key, value := range set {
			all[key+"="+value] = true
		}
	}
	return all
}

// NearLabels returns labels, of those given, that are spelt almost like labels of the selector that are not among them.
func (s *Selection) NearLabels(existing []string) []string {
	if s.spec.Selector == nil {
		return nil
	}
	var near []string
	for _, key := range slices.Sorted(maps.Keys(s.spec.Selector.MatchLabels)) {
		label := key + "=" + s.spec.Selector.MatchLabels[key]
		if found := spelling.Nearest(label, existing); found != "" && !slices.Contains(existing, label) {
			near = append(near, found)
		}
	}
	return near
}
