package cluster

import "k8s.io/apimachinery/pkg/runtime/schema"

// Resource is a kind of object that is watched.
type Resource struct {
	schema.GroupVersionResource
	Kind string
}

// The resources that are watched. All except pods are there to find the owners of pods, and to explain their states.
var (
	Pods       = Resource{schema.GroupVersionResource{Version: "v1", Resource: "pods"}, "Pod"}
	Namespaces = Resource{schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}, "Namespace"}
	Workloads  = []Resource{
		{schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "replicasets"}, "ReplicaSet"},
		{schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}, "Deployment"},
		{schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "statefulsets"}, "StatefulSet"},
		{schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "daemonsets"}, "DaemonSet"},
		{schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "jobs"}, "Job"},
		{schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "cronjobs"}, "CronJob"},
	}
)

// APIVersion returns the version as objects name it.
func (r Resource) APIVersion() string { return r.GroupVersion().String() }
