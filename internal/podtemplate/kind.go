// Package podtemplate knows which kinds hold pods, and where in them the pod
// templates are.
package podtemplate

import (
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
)

// Kind is a kind of workload.
type Kind struct {
	Group string
	Kind  string
	// Resource is the lower-case plural that rules speak of.
	Resource string
	// Paths lead to the pod templates; the empty path is the object itself, and [] stands
	// for every entry of a list.
	Paths []string
	// Optional says that a workload may do without some or all of its templates.
	Optional bool
	// Finishes says that its pods are meant to end.
	Finishes bool
	// Knative says that Knative's restrictions on pod specs hold.
	Knative bool
	// One says that it makes one pod where it does not say how many.
	One bool
	// Reference is where a workload may name another one whose pods it takes over.
	Reference string
}

const template = "spec.template"

var builtIn = []Kind{
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
	}, Optional: true},
}

// Kinds are the workloads that are known in a run, by group and kind.
type Kinds map[[2]string]Kind

// Known is the built-in kinds and those that the injectors declare. Declarations of one kind
// add up: where its pod templates are does not depend on who asks.
func Known(declared ...[]v1alpha1.Workload) Kinds {
	kinds := make(Kinds, len(builtIn))
	for _, kind := range builtIn {
		kinds.add(kind)
	}
	for _, workloads := range declared {
		for _, w := range workloads {
			kind, known := kinds[[2]string{w.Group, w.Kind}]
			if !known {
				kind = Kind{Group: w.Group, Kind: w.Kind, Optional: true}
			}
			kind.Paths = slices.Clone(kind.Paths)
			for _, path := range w.PodTemplates {
				if !slices.Contains(kind.Paths, path) {
					kind.Paths = append(kind.Paths, path)
				}
			}
			kinds.add(kind)
		}
	}
	return kinds
}

func (k Kinds) add(kind Kind) {
	kind.Resource = plural(kind.Kind)
	k[[2]string{kind.Group, kind.Kind}] = kind
}

// Find is the workload kind of an object, if its kind holds pods.
func (k Kinds) Find(apiVersion, kind string) (Kind, bool) {
	group, _ := SplitVersion(apiVersion)
	found, ok := k[[2]string{group, kind}]
	return found, ok
}

// SplitVersion takes apart apps/v1 and v1: the core group has no name.
func SplitVersion(apiVersion string) (group, version string) {
	if group, version, ok := strings.Cut(apiVersion, "/"); ok {
		return group, version
	}
	return "", apiVersion
}

// plural guesses as Kubernetes does for kinds whose resource it cannot ask for.
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
