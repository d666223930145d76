package patch

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/pods/pod"
)

// version is the version in which kustomize knows how to merge the lists of these kinds. In any other it would replace
// them.
const version = "v1"

// templatePath is where some kinds have their pod template.
type templatePath struct {
	template []string // the keys on the path to it
	kinds    []kind
}

// kind is the group and the name of a kind of workload that patches change. The first of a path is that of its patch.
type kind = [2]string

// isPatched reports whether patches change a kind.
func isPatched(k pod.Kind) bool {
	return slices.ContainsFunc(templatePaths, func(p templatePath) bool { return slices.Contains(p.kinds, kind{k.Group, k.Kind}) })
}

// templatePaths are the kinds of which kustomize merges the lists. It replaces those of custom kinds.
var templatePaths = []templatePath{
	{[]string{"spec", "template"}, []kind{
		{"apps", "Deployment"},
		{"apps", "StatefulSet"},
		{"apps", "DaemonSet"},
		{"apps", "ReplicaSet"},
		{"", "ReplicationController"},
		{"batch", "Job"},
	}},
	{[]string{"spec", "jobTemplate", "spec", "template"}, []kind{{"batch", "CronJob"}}},
	{nil, []kind{{"", "Pod"}}},
}

// target is kustomize's selector of objects. Group and kind are regular expressions for the whole value.
type target struct{ group, kind, labels, annotations string }

// fields returns the fields of the target with their values, in order.
func (t target) fields() [][2]string {
	return [][2]string{
		{"group", t.group},
		{"version", version},
		{"kind", t.kind},
		{"labelSelector", t.labels},
		{"annotationSelector", t.annotations},
	}
}

// targetsOf returns the target of an injector for each of the paths. It is empty if the injector is for no kind there.
func targetsOf(in *injector.Injector) []target {
	all := make([]target, len(templatePaths))
	labelSelector, annotations := selectorsOf(in)
	for i, p := range templatePaths {
		kinds := slices.DeleteFunc(slices.Clone(p.kinds), func(k kind) bool { return !isSelected(in, k) })
		if len(kinds) > 0 {
			all[i] = target{groupExpression(kinds), kindExpression(kinds), labelSelector, annotations}
		}
	}
	return all
}

// isSelected reports whether an injector is for a kind.
func isSelected(in *injector.Injector, k kind) bool {
	known := pod.NewKinds()[k]
	for _, c := range in.ConditionsOf(injector.OnRules, injector.OnJobs) {
		isOut := known.Finishes
		if c.Kind == injector.OnRules {
			isOut = !c.HasResource(k[0], version, known.Resource)
		}
		if isOut {
			return false
		}
	}
	return true
}

// selectorsOf returns the conditions on labels and on annotations, all of which must hold.
func selectorsOf(in *injector.Injector) (labelSelector, annotations string) {
	var all []string
	for _, c := range in.ConditionsOf(injector.OnSelector, injector.OnNeverSelector, injector.OnMarker) {
		switch c.Kind {
		case injector.OnSelector:
			if selector, err := metav1.LabelSelectorAsSelector(c.Selector); err == nil && !selector.Empty() {
				all = append(all, selector.String())
			}
		case injector.OnNeverSelector:
			all = append(all, opposite(c.Selector))
		case injector.OnMarker:
			annotations = in.Spec.Marker + "!=false"
			all = append(all, annotations)
		}
	}
	return strings.Join(all, ","), annotations
}

func kindExpression(kinds []kind) string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k[1]
	}
	return strings.Join(names, "|")
}

// groupExpression returns an expression for the groups of kinds. An empty one would match every group, so that of the
// core group is not.
func groupExpression(kinds []kind) string {
	var groups []string
	for _, k := range kinds {
		groups = append(groups, k[0])
	}
	slices.Sort(groups)
	groups = slices.Compact(groups) // the core group is the first one
	switch {
	case groups[0] != "":
		return strings.Join(groups, "|")
	case len(groups) == 1:
		return "^$"
	}
	return "(" + strings.Join(groups[1:], "|") + ")?"
}

var opposites = map[selection.Operator]selection.Operator{
	selection.Equals: selection.NotEquals, selection.NotEquals: selection.Equals,
	selection.In: selection.NotIn, selection.NotIn: selection.In,
	selection.Exists: selection.DoesNotExist, selection.DoesNotExist: selection.Exists,
}

// opposite returns a selector for whatever the given one does not match, or nothing. Only one with a single requirement
// has it: "not both" is "one of them not", which is not a label selector.
func opposite(selector *metav1.LabelSelector) string {
	parsed, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		return ""
	}
	requirements, _ := parsed.Requirements()
	if len(requirements) != 1 {
		return ""
	}
	only := requirements[0]
	not, err := labels.NewRequirement(only.Key(), opposites[only.Operator()], only.Values().List())
	if err != nil {
		return ""
	}
	return not.String()
}
