// Package selection decides whether an injector is for a pod template, and why not.
package selection

import (
	"errors"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/text/glob"
	"pillion.dev/pillion/internal/work/meter"
)

// Selection decides for one injector.
type Selection struct {
	injector   *injector.Injector
	annotation string // the one of the classic Initializer
	spec       *v1alpha1.SidecarInjectorSpec
	around     Surroundings

	selector, namespaceSelector labels.Selector
	never                       []labels.Selector
	declared                    map[string]labels.Set // the labels of namespaces in the config
	uncertain                   map[string]string     // namespaces whose labels are not certain, with the reason

	conditions []condition // in order
	size       int         // how many values they compare
	globs      int         // how many bytes the globs for names have

	dependsOnNamespace bool
}

// condition is a condition on a pod template.
type condition struct {
	check   func(*Candidate) *Decision // the decision against a pod template that does not meet it, or nil
	selects bool                       // it decides whom the injector is for; a pending request decides that as well
}

// New prepares the selection of an injector. The injector was validated when it was read, so an error is a defect.
func New(in *injector.Injector, around Surroundings) (*Selection, error) {
	s := &Selection{
		injector: in, annotation: InitializerAnnotation(in.Name), spec: &in.Spec, around: around, dependsOnNamespace: in.DependsOnNamespace(),
	}
	var errs []error
	newSelector := func(selector *metav1.LabelSelector) labels.Selector {
		if selector == nil {
			return labels.Everything()
		}
		ready, err := metav1.LabelSelectorAsSelector(selector)
		errs = append(errs, err)
		return ready
	}
	s.selector, s.namespaceSelector = newSelector(in.Spec.Selector), newSelector(in.Spec.NamespaceSelector)
	for i := range in.Spec.NeverInjectSelector {
		s.never = append(s.never, newSelector(&in.Spec.NeverInjectSelector[i]))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	s.declared, s.uncertain = map[string]labels.Set{}, uncertainNamespaces(&around, s.namespaceSelector)
	for name, set := range in.Spec.NamespaceLabels {
		s.declared[name] = withName(set, name)
	}
	s.addConditions()
	s.size = s.countValues()
	for _, entry := range append(slices.Clone(in.Spec.Names), in.Spec.ExcludeNames...) {
		if glob.HasWildcard(entry) {
			s.globs += len(entry)
		}
	}
	return s, nil
}

// Steps returns the steps that a decision about a workload of that name takes in the worst case, for the meter of a run.
func (s *Selection) Steps(name string) int {
	return meter.PerDecision + s.size*meter.PerValue + s.globs*(len(name)+1)
}

// countValues returns how many values the conditions compare with those of a workload.
func (s *Selection) countValues() int {
	rules := s.around.Initializers[InitializerName(s.injector.Name)]
	count := len(s.spec.Namespaces.Include) + len(s.spec.Namespaces.Exclude) + len(s.spec.Rules) + len(rules)
	for _, selector := range append([]labels.Selector{s.selector, s.namespaceSelector}, s.never...) {
		requirements, _ := selector.Requirements()
		for _, requirement := range requirements {
			count += 1 + len(requirement.ValuesUnsorted())
		}
	}
	return count
}

// Decide checks all conditions in turn. The first one that does not hold is the reason.
func (s *Selection) Decide(c *Candidate) *Decision {
	isRequested := c.Waits(s.injector.Name)
	for _, condition := range s.conditions {
		if isRequested && condition.selects {
			continue
		}
		if d := condition.check(c); d != nil {
			return d
		}
	}
	return selected
}

// LacksNamespace reports whether a decision depends on the namespace of a workload, which is not known.
func (s *Selection) LacksNamespace(c *Candidate, d *Decision) bool {
	return s.dependsOnNamespace && s.namespaceOf(c) == "" && !c.Waits(s.injector.Name) && (d.Inject || d.Code == finding.NamespaceUnknown)
}
