package export

import (
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/podtemplate"
)

// The version of the kinds whose lists kustomize merges by name. Those of older versions it
// does not know, and would replace.
const version = "v1"

// reachable are the kinds whose pods patches can reach, in the order in which they are written.
var reachable = [][2]string{
	{"apps", "Deployment"},
	{"apps", "StatefulSet"},
	{"apps", "DaemonSet"},
	{"apps", "ReplicaSet"},
	{"", "ReplicationController"},
	{"batch", "Job"},
	{"batch", "CronJob"},
	{"", "Pod"},
}

// scope is which objects an injector is for, as far as targets can tell.
type scope struct {
	kinds   []podtemplate.Kind // that get patches
	refused []podtemplate.Kind // that hold pods, and stop the build
	aged    []podtemplate.Kind // of which former versions stop the build
	outside []string           // resources that the rules ask for by name, and patches cannot reach

	namespaces, names []string // one of these, where there are any
	excluded          []string // namespaces
	labelSelector     string
}

func scopeOf(in *injector.Injector) scope {
	s := scope{names: in.Spec.Names}
	known := podtemplate.NewKinds()
	for _, key := range reachable {
		kind := known[key]
		if kind.Finishes && in.Spec.Jobs == v1alpha1.JobsSkip {
			continue
		}
		if kind.Group != "" && slices.ContainsFunc(former, func(version string) bool { return asked(in.Spec.Rules, kind, version) }) {
			s.aged = append(s.aged, kind)
		}
		switch {
		case !asked(in.Spec.Rules, kind, version):
		case kind.Finishes && in.Spec.Jobs == v1alpha1.JobsError:
			s.refused = append(s.refused, kind)
		default:
			s.kinds = append(s.kinds, kind)
		}
	}
	for key, kind := range known {
		if kind.Finishes && in.Spec.Jobs == v1alpha1.JobsSkip {
			continue
		}
		if !slices.Contains(reachable, key) && asked(in.Spec.Rules, kind, "") {
			s.refused = append(s.refused, kind)
			if named(in.Spec.Rules, kind) {
				s.outside = append(s.outside, kind.Resource)
			}
		}
	}
	slices.Sort(s.outside)
	if strings.HasPrefix(in.At(containers), "data") { // the classic ConfigMap
		s.refused = append(s.refused, podtemplate.Kind{Group: "admissionregistration.k8s.io", Kind: "InitializerConfiguration"})
	}
	if include := in.Spec.Namespaces.Include; len(include) > 0 {
		s.namespaces = include
	} else {
		s.excluded = in.Spec.Namespaces.Exclude
	}
	s.labelSelector = strings.Join(requirements(in), ",")
	return s
}

// asked tells whether the rules, where there are any, are for a kind of a version; of any
// version, where that is empty.
func asked(rules []v1alpha1.Rule, kind podtemplate.Kind, version string) bool {
	holds := func(list []string, value string) bool {
		return slices.Contains(list, "*") || slices.Contains(list, value)
	}
	return len(rules) == 0 || slices.ContainsFunc(rules, func(r v1alpha1.Rule) bool {
		return holds(r.APIGroups, kind.Group) && holds(r.Resources, kind.Resource) && (version == "" || holds(r.APIVersions, version))
	})
}

// named tells whether a rule is for a kind by its own name. With a group that is long gone people
// only want to be sure.
func named(rules []v1alpha1.Rule, kind podtemplate.Kind) bool {
	return kind.Group != "extensions" && slices.ContainsFunc(rules, func(r v1alpha1.Rule) bool {
		return slices.Contains(r.APIGroups, kind.Group) && slices.Contains(r.Resources, kind.Resource)
	})
}

// onlyPods tells that the objects are pods, whose own labels are those of the pod.
func (s scope) onlyPods() bool {
	return !slices.ContainsFunc(s.kinds, func(k podtemplate.Kind) bool { return k.Paths[0] != "" })
}

// maxTargets bounds how often the patches are repeated.
const maxTargets = 100

// place is a namespace and a name that an object must have now; empty is any.
type place struct{ namespace, name string }

// places are where to look: each namespace and each name that is asked for has its own patches,
// because a target asks the namespace and the name that an object had before, too, and only a
// test for one value tells which it has now.
func (s scope) places() []place {
	var places []place
	for _, namespace := range orAny(s.namespaces) {
		for _, name := range orAny(s.names) {
			places = append(places, place{namespace, name})
		}
	}
	return places
}

func orAny(values []string) []string {
	if len(values) == 0 {
		return []string{""}
	}
	return values
}

// target is for kinds, where the injector looks.
func (s scope) target(kinds []podtemplate.Kind, namespaces, names []string) Target {
	t := covering(kinds)
	t.Namespace, t.Name, t.LabelSelector = alternatives(namespaces), alternatives(names), s.labelSelector
	return t
}
