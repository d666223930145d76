package export

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"pillion.dev/pillion/internal/injector"
)

// labelSelectors returns the selector and the opposite of each neverInjectSelector, as a target takes them.
func labelSelectors(in *injector.Injector) []string {
	var selectors []string
	if selector, err := metav1.LabelSelectorAsSelector(in.Spec.Selector); err == nil && in.Spec.Selector != nil && !selector.Empty() {
		selectors = append(selectors, selector.String())
	}
	for i := range in.Spec.NeverInjectSelector {
		if not, ok := opposite(&in.Spec.NeverInjectSelector[i]); ok {
			selectors = append(selectors, not)
		}
	}
	return selectors
}

var oppositeOperators = map[selection.Operator]selection.Operator{
	selection.Equals: selection.NotEquals, selection.DoubleEquals: selection.NotEquals, selection.NotEquals: selection.Equals,
	selection.In: selection.NotIn, selection.NotIn: selection.In,
	selection.Exists: selection.DoesNotExist, selection.DoesNotExist: selection.Exists,
}

// opposite returns a selector that matches whatever the given one does not match. Only a selector with a single requirement
// has one: "not both" is "one of them not", which is not a label selector.
func opposite(selector *metav1.LabelSelector) (string, bool) {
	parsed, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		return "", false
	}
	requirements, _ := parsed.Requirements()
	if len(requirements) != 1 {
		return "", false
	}
	only := requirements[0]
	not, err := labels.NewRequirement(only.Key(), oppositeOperators[only.Operator()], only.Values().List())
	if err != nil {
		return "", false
	}
	return not.String(), true
}
