package export

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"pillion.dev/pillion/internal/injector"
)

// requirements are the selector, and the opposite of each neverInjectSelector, in the form of
// kustomize's label selectors.
func requirements(in *injector.Injector) []string {
	var all []string
	if selector, err := metav1.LabelSelectorAsSelector(in.Spec.Selector); err == nil && in.Spec.Selector != nil && !selector.Empty() {
		all = append(all, selector.String())
	}
	for i := range in.Spec.NeverInjectSelector {
		if not, ok := opposite(&in.Spec.NeverInjectSelector[i]); ok {
			all = append(all, not)
		}
	}
	return all
}

// opposite is what matches where a selector does not. Only a selector of one requirement has
// one: the opposite of "both" is "either not", which is no label selector.
func opposite(selector *metav1.LabelSelector) (string, bool) {
	parsed, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		return "", false
	}
	asked, _ := parsed.Requirements()
	if len(asked) != 1 {
		return "", false
	}
	opposites := map[selection.Operator]selection.Operator{
		selection.Equals: selection.NotEquals, selection.DoubleEquals: selection.NotEquals, selection.NotEquals: selection.Equals,
		selection.In: selection.NotIn, selection.NotIn: selection.In,
		selection.Exists: selection.DoesNotExist, selection.DoesNotExist: selection.Exists,
	}
	not, err := labels.NewRequirement(asked[0].Key(), opposites[asked[0].Operator()], asked[0].Values().List())
	if err != nil {
		return "", false
	}
	return not.String(), true
}
