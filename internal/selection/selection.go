// Package selection decides whether an injector is for a pod template, and why not.
package selection

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/meter"
)

// Selection decides for one injector.
type Selection struct {
	injector   *injector.Injector
	annotation string // the one of the classic Initializer
	spec       *v1alpha1.SidecarInjectorSpec
	around     Surroundings

	selector          labels.Selector
	never             []labels.Selector
	namespaceSelector labels.Selector
	ambiguous         map[string]string // namespaces whose labels are not certain, with the reason

	include, exclude                      injector.NamespacePatterns
	reserved                              []string // Kubernetes' own namespaces that are left alone
	dependsOnNamespace, requiresNamespace bool
	initializerRules                      []v1alpha1.Rule // of the classic Initializer in the stream
	hasInitializer                        bool
	ruleText, initializerRuleText         string // for messages; a text for each workload would take too much memory

	conditions []condition // those that may not hold
	size       int         // how many values they compare
	mismatch   *Decision   // for the pod templates whose labels do not match
}

// condition is a reason for or against an injection.
type condition func(*Selection, *Candidate) *Decision

// New prepares the selection of an injector. The injector was validated when it was read, so an error is a defect.
func New(in *injector.Injector, around Surroundings) (*Selection, error) {
	s := &Selection{
		injector: in, annotation: InitializerAnnotation(in.Name), spec: &in.Spec, around: around,
		include:            injector.NewNamespacePatterns(in.Spec.Namespaces.Include),
		exclude:            injector.NewNamespacePatterns(in.Spec.Namespaces.Exclude),
		reserved:           in.Spec.Namespaces.ReservedNamespaces(),
		dependsOnNamespace: in.DependsOnNamespace(), requiresNamespace: in.RequiresNamespace(),
	}
	var err error
	if s.selector, err = newSelector(in.Spec.Selector); err != nil {
		return nil, err
	}
	if s.namespaceSelector, err = newSelector(in.Spec.NamespaceSelector); err != nil {
		return nil, err
	}
	s.ambiguous = ambiguousNamespaces(&around, s.namespaceSelector)
	for i := range in.Spec.NeverInjectSelector {
		never, err := newSelector(&in.Spec.NeverInjectSelector[i])
		if err != nil {
			return nil, err
		}
		s.never = append(s.never, never)
	}
	s.initializerRules, s.hasInitializer = around.Initializers[InitializerName(in.Name)]
	s.ruleText, s.initializerRuleText = ruleText(s.spec.Rules), ruleText(s.initializerRules)
	s.conditions, s.size = s.usedConditions(), s.countValues()
	s.mismatch = skip(finding.SelectorMismatch, mismatch, ofCandidate(s.shownLabels), s.selector)
	return s, nil
}

// Steps returns the steps that a decision about a workload of that name takes in the worst case, for the meter of a run.
func (s *Selection) Steps(name string) int {
	steps := meter.PerDecision + s.size*meter.PerValue
	for _, patterns := range [...][]*injector.Pattern{s.injector.Names, s.injector.ExcludeNames} {
		for _, pattern := range patterns {
			steps += pattern.Steps(name)
		}
	}
	return steps
}

// usedConditions returns the conditions in their order, without those that hold for every pod template: there may be a hundred
// injectors, and each of them has few.
func (s *Selection) usedConditions() []condition {
	var used []condition
	for _, c := range []struct {
		isUsed    bool
		condition condition
	}{
		{true, (*Selection).namespaceIncluded},
		{!s.namespaceSelector.Empty(), (*Selection).namespaceSelected},
		{len(s.spec.Rules) > 0 || s.hasInitializer, (*Selection).ruleMatches},
		{len(s.injector.Names)+len(s.injector.ExcludeNames) > 0, (*Selection).nameMatches},
		{!s.selector.Empty(), (*Selection).labelsMatch},
		{true, (*Selection).optedIn},
		{!s.namespaceSelector.Empty() || s.requiresNamespace, (*Selection).namespaceKnown},
	} {
		if c.isUsed {
			used = append(used, c.condition)
		}
	}
	return used
}

// policies are the reasons against an injection that the injector selects.
var policies = []condition{(*Selection).notPaused, (*Selection).hostNetwork, (*Selection).jobs, (*Selection).helmHooks}

// countValues returns how many values the conditions compare with those of a workload.
func (s *Selection) countValues() int {
	count := len(s.spec.Namespaces.Include) + len(s.spec.Namespaces.Exclude) + len(s.spec.Rules) + len(s.initializerRules)
	for _, selector := range append([]labels.Selector{s.selector, s.namespaceSelector}, s.never...) {
		requirements, _ := selector.Requirements()
		for _, requirement := range requirements {
			count += 1 + len(requirement.ValuesUnsorted())
		}
	}
	return count
}

// newSelector returns a selector. One that is not set matches everything.
func newSelector(selector *metav1.LabelSelector) (labels.Selector, error) {
	if selector == nil {
		return labels.Everything(), nil
	}
	return metav1.LabelSelectorAsSelector(selector)
}

// MatchesAny reports whether the injector is for one of the candidates.
func (s *Selection) MatchesAny(candidates []Candidate) bool {
	for i := range candidates {
		if s.Decide(&candidates[i]).Matched {
			return true
		}
	}
	return false
}

// Decide checks all conditions in turn. The first one that does not hold is the reason.
func (s *Selection) Decide(c *Candidate) *Decision {
	if len(s.never) > 0 {
		if d := s.neverInject(c); !d.Inject {
			return d
		}
	}
	if !c.Waits(s.injector.Name) {
		for _, condition := range s.conditions {
			if d := condition(s, c); !d.Inject {
				return d
			}
		}
	}
	for _, policy := range policies {
		if d := policy(s, c); !d.Inject {
			d.Matched = true
			return d
		}
	}
	return selected
}
