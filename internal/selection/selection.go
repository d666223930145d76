// Package selection decides whether an injector is for a pod template, and why not.
package selection

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
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

	include, exclude                      injector.NamespacePatterns
	reserved                              []string // Kubernetes' own namespaces that are left alone
	dependsOnNamespace, requiresNamespace bool
}

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
	for i := range in.Spec.NeverInjectSelector {
		never, err := newSelector(&in.Spec.NeverInjectSelector[i])
		if err != nil {
			return nil, err
		}
		s.never = append(s.never, never)
	}
	return s, nil
}

// newSelector returns a selector. One that is not set matches everything.
func newSelector(selector *metav1.LabelSelector) (labels.Selector, error) {
	if selector == nil {
		return labels.Everything(), nil
	}
	return metav1.LabelSelectorAsSelector(selector)
}

// Decide checks all conditions in turn. The first one that does not hold is the reason.
func (s *Selection) Decide(c Candidate) Decision {
	if d := s.neverInject(c); !d.Inject {
		return d
	}
	if !c.Waits(s.injector.Name) {
		for _, condition := range []func(Candidate) Decision{
			s.namespaceIncluded, s.namespaceSelected, s.ruleMatches, s.nameMatches, s.labelsMatch, s.optedIn, s.namespaceKnown,
		} {
			if d := condition(c); !d.Inject {
				return d
			}
		}
	}
	for _, policy := range []func(Candidate) Decision{s.notPaused, s.hostNetwork, s.jobs, s.helmHooks} {
		if d := policy(c); !d.Inject {
			d.Matched = true
			return d
		}
	}
	return Decision{Inject: true, Matched: true}
}
