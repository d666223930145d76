package selection

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/labels"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/spelling"
)

func (s *Selection) neverInject(c *Candidate) *Decision {
	for i, never := range s.never {
		if s.matchesLabels(c, never) {
			return skip(finding.NeverSelector, "its labels match spec.neverInjectSelector[%d] (%s)", i, never)
		}
	}
	return inject
}

const mismatch = "its labels (%s) do not match spec.selector (%s)"

// labelsMatch returns the same decision for most pod templates, because that is what nearly all of a hundred injectors do.
func (s *Selection) labelsMatch(c *Candidate) *Decision {
	if s.matchesLabels(c, s.selector) {
		return inject
	}
	if s.spec.SelectorScope == v1alpha1.ScopePodTemplate && s.selector.Matches(&c.workloadLabels) {
		return skipWithWarning(finding.SelectorMismatch, mismatch+", although the labels of the workload do; "+
			"label the pod template, or set spec.selectorScope to Any", s.shownLabels(c), s.selector)
	}
	if c.Template.Broken != nil && c.podLabels.isEmpty() { // the labels are not the mistake
		return skip(finding.SelectorMismatch, mismatch+"; %s", s.shownLabels(c), s.selector, c.Template.Broken)
	}
	return s.mismatch
}

// shownLabels returns the labels that a message about the selector shows.
func (s *Selection) shownLabels(c *Candidate) any {
	if s.spec.SelectorScope == v1alpha1.ScopeWorkload {
		return &c.workloadLabels
	}
	return &c.podLabels
}

// matchesLabels reports whether a selector matches one of the sets of labels that it applies to.
func (s *Selection) matchesLabels(c *Candidate, selector labels.Selector) bool {
	scope := s.spec.SelectorScope
	return scope != v1alpha1.ScopeWorkload && selector.Matches(&c.podLabels) ||
		(scope == v1alpha1.ScopeWorkload || scope == v1alpha1.ScopeAny) && selector.Matches(&c.workloadLabels)
}

// LabelsOf returns the labels that the selector applies to, each as key=value.
func (s *Selection) LabelsOf(c *Candidate) map[string]bool {
	all := map[string]bool{}
	scope := s.spec.SelectorScope
	if scope != v1alpha1.ScopeWorkload {
		c.podLabels.addTo(all)
	}
	if scope == v1alpha1.ScopeWorkload || scope == v1alpha1.ScopeAny {
		c.workloadLabels.addTo(all)
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
