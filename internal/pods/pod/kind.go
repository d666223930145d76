package pod

import (
	"slices"
	"strings"
	"sync"

	"pillion.dev/pillion/api/v1alpha1"
)

// Kind is a kind of workload.
type Kind struct {
	Group string
	Kind  string
	// Resource is the lower-case plural that rules use.
	Resource string
	// Paths lead to the pod templates. The empty path is the object itself, [] stands for every entry of a list, and *
	// for every key.
	Paths []string
	// Specs lead to pod specs without templates around them, in the same form. They may be missing.
	Specs []string
	// Optional is whether some or all of the pod templates may be missing.
	Optional bool
	// Partial is whether an operator completes the pod templates, so that they need no containers.
	Partial bool
	// Finishes is whether its pods are meant to end.
	Finishes bool
	// Knative is whether Knative's restrictions on pod specs apply.
	Knative bool
	// One is whether one pod is the default.
	One bool
	// Reference is the field of spec that may name another workload, whose pods it takes over.
	Reference string
}

const template = "spec.template"

// builtIn returns the kinds that Pillion knows.
var builtIn = sync.OnceValue(func() []Kind {
	return []Kind{
		{Group: "", Kind: "Pod", Paths: []string{""}, One: true},
		{Group: "", Kind: "PodTemplate", Paths: []string{"template"}},
		{Group: "", Kind: "ReplicationController", Paths: []string{template}, One: true},
		{Group: "apps", Kind: "ReplicaSet", Paths: []string{template}, One: true},
		{Group: "apps", Kind: "Deployment", Paths: []string{template}, One: true},
		{Group: "apps", Kind: "StatefulSet", Paths: []string{template}, One: true},
		{Group: "apps", Kind: "DaemonSet", Paths: []string{template}},
		{Group: "extensions", Kind: "ReplicaSet", Paths: []string{template}, One: true},
		{Group: "extensions", Kind: "Deployment", Paths: []string{template}, One: true},
		{Group: "extensions", Kind: "DaemonSet", Paths: []string{template}},
		{Group: "batch", Kind: "Job", Paths: []string{template}, Finishes: true, One: true},
		{Group: "batch", Kind: "CronJob", Paths: []string{"spec.jobTemplate.spec.template"}, Finishes: true, One: true},
		{Group: "", Kind: "DeploymentConfig", Paths: []string{template}, Optional: true}, // of old versions of OpenShift
		{Group: "apps.openshift.io", Kind: "DeploymentConfig", Paths: []string{template}, Optional: true},
		{Group: "argoproj.io", Kind: "Rollout", Paths: []string{template}, Reference: "workloadRef", One: true},
		{Group: "apps.kruise.io", Kind: "CloneSet", Paths: []string{template}, One: true},
		{Group: "apps.kruise.io", Kind: "StatefulSet", Paths: []string{template}, One: true},
		{Group: "apps.kruise.io", Kind: "DaemonSet", Paths: []string{template}},
		{Group: "apps.kruise.io", Kind: "BroadcastJob", Paths: []string{template}, Finishes: true},
		{Group: "apps.kruise.io", Kind: "AdvancedCronJob", Paths: []string{
			"spec.template.jobTemplate.spec.template",
			"spec.template.broadcastJobTemplate.spec.template",
		}, Optional: true, Finishes: true},
		{Group: "serving.knative.dev", Kind: "Service", Paths: []string{template}, Knative: true},
		{Group: "serving.knative.dev", Kind: "Configuration", Paths: []string{template}, Knative: true},
		{Group: "keda.sh", Kind: "ScaledJob", Paths: []string{"spec.jobTargetRef.template"}, Finishes: true},
		{Group: "batch.volcano.sh", Kind: "Job", Paths: []string{"spec.tasks[].template"}, Finishes: true},
		{Group: "flink.apache.org", Kind: "FlinkDeployment", Paths: []string{
			"spec.podTemplate",
			"spec.jobManager.podTemplate",
			"spec.taskManager.podTemplate",
		}, Optional: true, Partial: true},
		{Group: "kubeflow.org", Kind: "PyTorchJob", Paths: []string{replicas("spec.pytorch")}, Optional: true, Finishes: true},
		{Group: "kubeflow.org", Kind: "TFJob", Paths: []string{replicas("spec.tf")}, Optional: true, Finishes: true},
		{Group: "kubeflow.org", Kind: "MPIJob", Paths: []string{replicas("spec.mpi")}, Optional: true, Finishes: true},
		{Group: "kubeflow.org", Kind: "XGBoostJob", Paths: []string{replicas("spec.xgb")}, Optional: true, Finishes: true},
		{Group: "kubeflow.org", Kind: "PaddleJob", Paths: []string{replicas("spec.paddle")}, Optional: true, Finishes: true},
		{Group: "kubeflow.org", Kind: "JAXJob", Paths: []string{replicas("spec.jax")}, Optional: true, Finishes: true},
		{Group: "kubeflow.org", Kind: "Experiment", Paths: []string{ // whose trials are of any kind; most are these
			trial + ".template",
			replicas(trial + ".pytorch"),
			replicas(trial + ".tf"),
		}, Optional: true, Finishes: true},
		{Group: "ray.io", Kind: "RayCluster", Paths: rayGroups("spec"), Optional: true},
		{Group: "ray.io", Kind: "RayService", Paths: rayGroups("spec.rayClusterConfig"), Optional: true},
		{
			Group: "ray.io", Kind: "RayJob", Paths: append(rayGroups("spec.rayClusterSpec"), "spec.submitterPodTemplate"),
			Optional: true, Finishes: true,
		},
	}
})

// trial is where the spec of a trial's job is in an Experiment.
const trial = "spec.trialTemplate.trialSpec.spec"

// replicas returns the pod templates of a training job, given what its field with the types of replicas begins with.
// The controllers accept each type in upper and lower case, and no other types, so that there is no list of them here.
func replicas(field string) string { return field + "ReplicaSpecs.*.template" }

// rayGroups returns the pod templates of a Ray cluster.
func rayGroups(cluster string) []string {
	return []string{cluster + ".headGroupSpec.template", cluster + ".workerGroupSpecs[].template"}
}

// IsBuiltIn reports whether Pillion knows a kind without a declaration.
func IsBuiltIn(group, kind string) bool {
	return slices.ContainsFunc(builtIn(), func(k Kind) bool { return k.Group == group && k.Kind == kind })
}

// Kinds is the kinds of workloads that a run knows, by group and kind.
type Kinds map[[2]string]Kind

// NewKinds returns the built-in kinds and those that the injectors declare. The paths that several injectors declare
// for one kind add up, so that they are the same for all injectors.
func NewKinds(declared ...[]v1alpha1.Workload) Kinds {
	kinds := make(Kinds, len(builtIn()))
	for _, kind := range builtIn() {
		kinds.add(kind)
	}
	for _, workloads := range declared {
		for _, w := range workloads {
			kind, known := kinds[[2]string{w.Group, w.Kind}]
			if !known {
				kind = Kind{Group: w.Group, Kind: w.Kind, Optional: true}
			}
			kind.Partial = kind.Partial || w.Partial
			kind.Paths = union(kind.Paths, w.PodTemplates)
			kind.Specs = union(kind.Specs, w.PodSpecs)
			kinds.add(kind)
		}
	}
	return kinds
}

// union returns the texts of two lists, each once.
func union(a, b []string) []string {
	all := slices.Clone(a)
	for _, text := range b {
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

func (k Kinds) add(kind Kind) {
	// Declared as a template, it has its stamp there, as before the kind was built in.
	isInTemplate := func(spec string) bool {
		template, isSpec := strings.CutSuffix(spec, ".spec")
		return isSpec && slices.Contains(kind.Paths, template)
	}
	kind.Specs = slices.DeleteFunc(slices.Clone(kind.Specs), isInTemplate)
	slices.SortStableFunc(kind.Specs, func(a, b string) int { return len(a) - len(b) }) // one may be inside another
	kind.Resource = plural(kind.Kind)
	k[[2]string{kind.Group, kind.Kind}] = kind
}

// Find returns the kind of a workload, if it is one.
func (k Kinds) Find(apiVersion, kind string) (Kind, bool) {
	group, _ := SplitVersion(apiVersion)
	found, ok := k[[2]string{group, kind}]
	return found, ok
}

// SplitVersion splits apps/v1 into group and version. The core group is empty.
func SplitVersion(apiVersion string) (group, version string) {
	if group, version, ok := strings.Cut(apiVersion, "/"); ok {
		return group, version
	}
	return "", apiVersion
}

// plural guesses the resource of a kind, as Kubernetes does without a cluster.
func plural(kind string) string {
	s := strings.ToLower(kind)
	switch {
	case strings.HasSuffix(s, "s"):
		return s + "es"
	case strings.HasSuffix(s, "y"):
		return strings.TrimSuffix(s, "y") + "ies"
	default:
		return s + "s"
	}
}
