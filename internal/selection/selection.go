// Package selection decides whether an injector is for a pod template, and why not.
package selection

import (
	"regexp"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
)

// Selection decides for one injector.
type Selection struct {
	name       string
	annotation string // the one of the classic Initializer
	paused     bool
	spec       *v1alpha1.SidecarInjectorSpec
	around     Surroundings

	selector          labels.Selector
	never             []labels.Selector
	namespaceSelector labels.Selector
	names             []*regexp.Regexp
}

// New prepares the selection of an injector. The injector was validated when it was read, so an error is a defect.
func New(in *injector.Injector, around Surroundings) (*Selection, error) {
	s := &Selection{
		name: in.Name, annotation: InitializerAnnotation(in.Name), paused: in.Paused, spec: &in.Spec, names: in.Names, around: around,
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
	if !c.Waits(s.name) {
		for _, condition := range []func(Candidate) Decision{
			s.namespaceIncluded, s.namespaceSelected, s.ruleMatches, s.nameMatches, s.labelsMatch, s.optedIn,
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
