package export

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/pod"
)

// version is the version in which kustomize merges the lists of a kind by name.
const version = "v1"

// formerVersions are versions in which kustomize replaces the lists.
var formerVersions = []string{"v1beta1", "v1beta2", "v2alpha1"}

// supportedKinds are the groups and names of the kinds that patches can change, in the order of the patches.
var supportedKinds = [][2]string{
	{"apps", "Deployment"},
	{"apps", "StatefulSet"},
	{"apps", "DaemonSet"},
	{"apps", "ReplicaSet"},
	{"", "ReplicationController"},
	{"batch", "Job"},
	{"batch", "CronJob"},
	{"", "Pod"},
}

// scope is the part of an injector's selection that targets can express.
type scope struct {
	kinds       []pod.Kind // kinds that get patches
	refused     []pod.Kind // kinds that stop the build
	outdated    []pod.Kind // kinds of which former versions stop the build
	unsupported []string   // resources that the rules name, and patches cannot change

	namespaces, names []string // the only ones, if there are any
	excluded          []string // namespaces, and patterns for them
	labelSelector     string
}

func newScope(in *injector.Injector) scope {
	s := scope{names: in.Spec.Names, labelSelector: strings.Join(labelSelectors(in), ",")}
	kinds := pod.NewKinds()
	for key, kind := range kinds {
		if !slices.Contains(supportedKinds, key) && !isSkippedJob(in, kind) && hasRule(in, kind, "") {
			s.refused = append(s.refused, kind)
			if isNamedByRule(in, kind) {
				s.unsupported = append(s.unsupported, kind.Resource)
			}
		}
	}
	slices.Sort(s.unsupported)
	for _, key := range supportedKinds {
		if kind := kinds[key]; !isSkippedJob(in, kind) {
			s.addSupported(in, kind)
		}
	}
	if strings.HasPrefix(in.At(containers), "data") { // the classic ConfigMap
		s.refused = append(s.refused, pod.Kind{Group: "admissionregistration.k8s.io", Kind: "InitializerConfiguration"})
	}
	namespaces := in.Spec.Namespaces
	if injector.NewNamespacePatterns(namespaces.Include).Match("") || len(namespaces.Include) == 0 { // all namespaces
		s.excluded = slices.Concat(namespaces.Exclude, namespaces.ReservedNamespaces())
	} else {
		s.namespaces = namespaces.Include
	}
	return s
}

func (s *scope) addSupported(in *injector.Injector, kind pod.Kind) {
	if kind.Group != "" && slices.ContainsFunc(formerVersions, func(version string) bool { return hasRule(in, kind, version) }) {
		s.outdated = append(s.outdated, kind)
	}
	switch {
	case !hasRule(in, kind, version):
	case kind.Finishes && in.Spec.Jobs == v1alpha1.JobsError:
		s.refused = append(s.refused, kind)
	default:
		s.kinds = append(s.kinds, kind)
	}
}

func isSkippedJob(in *injector.Injector, kind pod.Kind) bool {
	return kind.Finishes && in.Spec.Jobs == v1alpha1.JobsSkip
}

// hasRule reports whether the rules, if there are any, include a kind in a version. The empty version is any version.
func hasRule(in *injector.Injector, kind pod.Kind, version string) bool {
	includes := func(list []string, value string) bool {
		return slices.Contains(list, "*") || slices.Contains(list, value)
	}
	return len(in.Spec.Rules) == 0 || slices.ContainsFunc(in.Spec.Rules, func(r v1alpha1.Rule) bool {
		return includes(r.APIGroups, kind.Group) && includes(r.Resources, kind.Resource) && (version == "" || includes(r.APIVersions, version))
	})
}

// isNamedByRule reports whether a rule names a kind and not just "*". It ignores the group extensions, which no longer exists
// and is listed as a precaution.
func isNamedByRule(in *injector.Injector, kind pod.Kind) bool {
	return kind.Group != "extensions" && slices.ContainsFunc(in.Spec.Rules, func(r v1alpha1.Rule) bool {
		return slices.Contains(r.APIGroups, kind.Group) && slices.Contains(r.Resources, kind.Resource)
	})
}

// hasOnlyPods reports whether all objects are Pods, so that the labels of the object are those of the pod.
func (s scope) hasOnlyPods() bool {
	return !slices.ContainsFunc(s.kinds, func(k pod.Kind) bool { return k.Paths[0] != "" })
}

// maxTargets bounds how often the patches are repeated.
const maxTargets = 100

// workloadNames returns each combination of the namespaces and the names of the injector; an empty one is any. Each gets
// its own patches: a target also matches the namespace and the name that an object had before kustomize changed them, and
// only a test for one value ensures that the object has it now.
func (s scope) workloadNames() []types.NamespacedName {
	var all []types.NamespacedName
	for _, namespace := range orAny(s.namespaces) {
		for _, name := range orAny(s.names) {
			all = append(all, types.NamespacedName{Namespace: namespace, Name: name})
		}
	}
	return all
}

func orAny(values []string) []string {
	if len(values) == 0 {
		return []string{""}
	}
	return values
}
