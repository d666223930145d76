// Package v1alpha1 is Pillion's API: the SidecarInjector, which says which pods
// get a sidecar and what the sidecar is.
package v1alpha1

//go:generate go run ./generate

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The group, version and kinds of this API.
const (
	Group         = "pillion.dev"
	APIVersion    = Group + "/v1alpha1"
	Kind          = "SidecarInjector"
	ListKind      = "SidecarInjectorList"
	DefaultMarker = Group + "/inject"
	// StampPrefix is what the keys of the annotations that hold stamps begin with.
	StampPrefix  = Group + "/injected-"
	MaxNameBytes = 63
)

// SidecarInjector says which pods get a sidecar, and what the sidecar is.
type SidecarInjector struct {
	// APIVersion is pillion.dev/v1alpha1.
	APIVersion string `json:"apiVersion"`
	// Kind is SidecarInjector.
	Kind string `json:"kind"`
	// Metadata names the injector; the name is its identity.
	Metadata Metadata `json:"metadata"`
	// Spec is the declaration itself.
	Spec SidecarInjectorSpec `json:"spec"`
}

// SidecarInjectorList carries several injectors, applied in order.
type SidecarInjectorList struct {
	// APIVersion is pillion.dev/v1alpha1.
	APIVersion string `json:"apiVersion"`
	// Kind is SidecarInjectorList.
	Kind string `json:"kind"`
	// Metadata is optional on a list.
	Metadata *Metadata `json:"metadata,omitempty"`
	// Items are the injectors, applied in this order.
	Items []SidecarInjector `json:"items"`
}

// Metadata is the part of Kubernetes' object metadata that a config file has.
type Metadata struct {
	// Name is the injector's identity.
	Name string `json:"name"`
	// Namespace is accepted, because tools set it, and means nothing.
	Namespace string `json:"namespace,omitempty"`
	// Labels are accepted, because tools set them, and mean nothing.
	Labels map[string]string `json:"labels,omitempty"`
	// Annotations are accepted, because tools set them, and mean nothing to Pillion.
	Annotations map[string]string `json:"annotations,omitempty"`
}

// SidecarInjectorSpec is who gets the sidecar, what it is, and what to do where the two do not fit.
type SidecarInjectorSpec struct {
	// Action is what to do: Inject brings the pods that are selected, and those that were, to
	// what this config says; Remove takes out what was injected before; Verify changes nothing,
	// and fails where Inject would change something.
	Action Action `json:"action,omitempty"`
	// Paused touches nothing: neither does the sidecar go in, nor is it changed or taken out.
	Paused bool `json:"paused,omitempty"`
	// KubernetesVersion is what the cluster runs, such as "1.33"; it decides whether
	// native sidecars exist. Without it the newest is assumed.
	KubernetesVersion string `json:"kubernetesVersion,omitempty"`

	// Selector chooses pods by labels; selectorScope says whose. Without it every pod is chosen.
	Selector *metav1.LabelSelector `json:"selector,omitempty"`
	// SelectorScope says whose labels selector and neverInjectSelector look at: the pod
	// template's, those of the workload itself, or either.
	SelectorScope SelectorScope `json:"selectorScope,omitempty"`
	// NeverInjectSelector keeps a pod out when any of these matches, whatever else holds.
	NeverInjectSelector []metav1.LabelSelector `json:"neverInjectSelector,omitempty"`
	// Namespaces are the namespaces that are in and out, by name.
	Namespaces *Namespaces `json:"namespaces,omitempty"`
	// NamespaceSelector is matched against the labels of the workload's namespace: those of
	// the Namespace object in the stream, or else those in namespaceLabels.
	NamespaceSelector *metav1.LabelSelector `json:"namespaceSelector,omitempty"`
	// NamespaceLabels are the labels of namespaces that are not in the stream, by namespace name.
	NamespaceLabels map[string]map[string]string `json:"namespaceLabels,omitempty"`
	// Rules are the resources to look at, as in an admission configuration; "*" is a wildcard.
	Rules []Rule `json:"rules,omitempty"`
	// Names are anchored regular expressions on the workload's name, as in a kustomize target.
	Names []string `json:"names,omitempty"`
	// Marker is the annotation or label by which a pod opts in ("true"), opts out ("false")
	// or names the injectors that it wants ("envoy,logs").
	Marker string `json:"marker,omitempty"`
	// Policy says what happens to a pod that has no marker: enabled injects, disabled does not.
	Policy Policy `json:"policy,omitempty"`
	// Workloads declares where pod templates are in kinds that are not built in.
	Workloads []Workload `json:"workloads,omitempty"`

	// Containers are the sidecars: Kubernetes container bodies, which go into the pod as they
	// are written here, and a few fields of Pillion's own, which do not.
	Containers []Container `json:"containers,omitempty"`
	// InitContainers are added to the pod's init containers.
	InitContainers []InitContainer `json:"initContainers,omitempty"`
	// Volumes are added to the pod's volumes.
	Volumes []corev1.Volume `json:"volumes,omitempty"`
	// ImagePullSecrets are added to the pod's imagePullSecrets.
	ImagePullSecrets []corev1.LocalObjectReference `json:"imagePullSecrets,omitempty"`
	// AppContainers are what the app's own containers get. The first entry that is for a
	// container and sets a variable or a mount path is the one that counts.
	AppContainers []AppContainers `json:"appContainers,omitempty"`
	// PatchPodMetadata are labels and annotations for the pod template.
	PatchPodMetadata []PodMetadataPatch `json:"patchPodMetadata,omitempty"`
	// PodSpec is any other field of the pod, set where the pod does not set it; lists are added to.
	PodSpec *corev1.PodSpec `json:"podSpec,omitempty"`

	// Stamp says where it is written down what this injector did to a pod: in an annotation of
	// the pod template, or nowhere. Without it nothing can be changed or taken out later.
	Stamp StampMode `json:"stamp,omitempty"`
	// OnDrift says what to do with what somebody changed by hand in an injected sidecar.
	OnDrift OnDrift `json:"onDrift,omitempty"`
	// Adopt takes over containers and volumes of the payload's names that are there without a
	// stamp, where they are equal to the payload but for image and order.
	Adopt bool `json:"adopt,omitempty"`
	// OnConflict says what to do when the pod already has something different of the same name.
	OnConflict OnConflict `json:"onConflict,omitzero"`
	// Checks are asked of the pod when the sidecar is in.
	Checks Checks `json:"checks,omitzero"`
	// Jobs says what to do with pods that are meant to finish: Native makes sidecars of mode
	// Auto native, Inject leaves them plain, Skip leaves the pod alone, Error refuses it.
	Jobs JobPolicy `json:"jobs,omitempty"`
	// HostNetwork says what to do with pods on the host's network, whose ports are the host's.
	HostNetwork PodPolicy `json:"hostNetwork,omitempty"`
	// HelmHooks says what to do with Helm hooks.
	HelmHooks PodPolicy `json:"helmHooks,omitempty"`
	// Report is the lowest severity that is said on standard error line by line; what is
	// below it is counted.
	Report ReportLevel `json:"report,omitempty"`
	// Expect makes it an error when fewer or more workloads match.
	Expect *Expect `json:"expect,omitempty"`
}

// Action is what to do with the pods that are selected.
// +enum
type Action string

// The actions.
const (
	Inject Action = "Inject"
	Remove Action = "Remove"
	Verify Action = "Verify"
)

// StampMode says where it is written down what an injector did to a pod.
// +enum
type StampMode string

// The places of a stamp.
const (
	StampAnnotation StampMode = "Annotation"
	StampNone       StampMode = "None"
)

// OnDrift says what to do with what somebody changed by hand.
// +enum
type OnDrift string

// The ways to meet a change by hand.
const (
	DriftOverwrite OnDrift = "Overwrite"
	DriftKeep      OnDrift = "Keep"
	DriftError     OnDrift = "Error"
)

// SelectorScope says whose labels a selector looks at.
// +enum
type SelectorScope string

// The scopes: the pod template's labels, the workload's own, or either.
const (
	ScopePodTemplate SelectorScope = "PodTemplate"
	ScopeWorkload    SelectorScope = "Workload"
	ScopeAny         SelectorScope = "Any"
)

// Policy says what happens to a pod without a marker.
// +enum
type Policy string

// The policies: inject unless opted out, or only when opted in.
const (
	PolicyEnabled  Policy = "enabled"
	PolicyDisabled Policy = "disabled"
)

// Namespaces are the namespaces that are in and out, by name.
type Namespaces struct {
	// Include, where set, is the only namespaces whose workloads are looked at.
	Include []string `json:"include,omitempty"`
	// Exclude is the namespaces that are left alone; an empty list leaves none alone.
	Exclude []string `json:"exclude,omitempty"`
}

// Rule is a set of resources, as in an admission configuration.
type Rule struct {
	// APIGroups are API groups; "" is the core group and "*" is all.
	APIGroups []string `json:"apiGroups"`
	// APIVersions are versions, such as v1; "*" is all.
	APIVersions []string `json:"apiVersions"`
	// Resources are lower-case plurals, such as deployments; "*" is all.
	Resources []string `json:"resources"`
}

// Workload declares where the pod templates of a kind are.
type Workload struct {
	// Group is the kind's API group; any version of it counts.
	Group string `json:"group,omitempty"`
	// Kind is the kind.
	Kind string `json:"kind"`
	// PodTemplates are paths to the mappings that hold pod metadata and spec, such as
	// spec.podTemplate or spec.tasks[].template.
	PodTemplates []string `json:"podTemplates"`
}

// Container is a sidecar: a Kubernetes container body, and how it goes in.
type Container struct {
	corev1.Container `json:",inline"`
	Placement        `json:",inline"`
	FromApp          `json:",inline"`
	Overriding       `json:",inline"`

	// Mode says whether the sidecar is a native one (an init container that restarts always)
	// or a plain container; Auto makes it native where a plain one would keep the pod from finishing.
	Mode Mode `json:"mode,omitempty"`
}

// InitContainer is a Kubernetes container body for the pod's init containers, and where it goes.
type InitContainer struct {
	corev1.Container `json:",inline"`
	Placement        `json:",inline"`
	FromApp          `json:",inline"`
	Overriding       `json:",inline"`
}

// Placement says where in its list a container goes. Pillion reads it; it never reaches the manifest.
type Placement struct {
	// PodInjectPolicy puts the container before or after the app's own. By default a container
	// goes after them, and a native sidecar before the app's init containers.
	PodInjectPolicy PodInjectPolicy `json:"podInjectPolicy,omitempty"`
	// Before is the name of a container to stand in front of.
	Before string `json:"before,omitempty"`
	// After is the name of a container to stand behind.
	After string `json:"after,omitempty"`
}

// Mode says what kind of container a sidecar becomes.
// +enum
type Mode string

// The modes.
const (
	ModeAuto      Mode = "Auto"
	ModeNative    Mode = "Native"
	ModeContainer Mode = "Container"
)

// PodInjectPolicy says on which side of the app's containers a sidecar stands.
// +enum
type PodInjectPolicy string

// The sides.
const (
	AfterAppContainer  PodInjectPolicy = "AfterAppContainer"
	BeforeAppContainer PodInjectPolicy = "BeforeAppContainer"
)

// OnConflict says what to do when the pod already has something different of the same key.
type OnConflict struct {
	// Container of the same name that differs: Error, Keep the app's, Merge with the app's
	// fields winning, or Replace it.
	Container ContainerConflict `json:"container,omitempty"`
	// Volume of the same name that differs.
	Volume Conflict `json:"volume,omitempty"`
	// Env is a variable of the same name with another value.
	Env Conflict `json:"env,omitempty"`
	// MountPath that is mounted already from elsewhere.
	MountPath Conflict `json:"mountPath,omitempty"`
	// Port number or name that another container of the pod has: Error, or Keep the
	// app's and leave the sidecar's port out.
	Port PortConflict `json:"port,omitempty"`
}

// Conflict is what to do with an entry that differs.
// +enum
type Conflict string

// The ways out of a conflict.
const (
	ConflictError   Conflict = "Error"
	ConflictKeep    Conflict = "Keep"
	ConflictReplace Conflict = "Replace"
)

// ContainerConflict is what to do with a container that differs.
// +enum
type ContainerConflict string

// The ways out of a container conflict.
const (
	ContainerError   ContainerConflict = "Error"
	ContainerKeep    ContainerConflict = "Keep"
	ContainerMerge   ContainerConflict = "Merge"
	ContainerReplace ContainerConflict = "Replace"
)

// PortConflict is what to do with a port that is taken.
// +enum
type PortConflict string

// The ways out of a port conflict. A port of the app's is never taken away.
const (
	PortError PortConflict = "Error"
	PortKeep  PortConflict = "Keep"
)

// JobPolicy says what to do with pods that are meant to finish.
// +enum
type JobPolicy string

// The policies for such pods: native sidecars, whatever the mode says, nothing, or an error.
const (
	JobsNative JobPolicy = "Native"
	JobsInject JobPolicy = "Inject"
	JobsSkip   JobPolicy = "Skip"
	JobsError  JobPolicy = "Error"
)

// PodPolicy says what to do with a special sort of pod.
// +enum
type PodPolicy string

// The policies for special pods.
const (
	PodInject PodPolicy = "Inject"
	PodSkip   PodPolicy = "Skip"
	PodError  PodPolicy = "Error"
)

// ReportLevel is the lowest severity that is said line by line.
// +enum
type ReportLevel string

// The levels.
const (
	ReportInfo    ReportLevel = "Info"
	ReportWarning ReportLevel = "Warning"
	ReportError   ReportLevel = "Error"
)

// Expect bounds how many workloads an injector matches.
type Expect struct {
	// Min is the fewest workloads that must match.
	Min *int `json:"min,omitempty"`
	// Max is the most workloads that may match.
	Max *int `json:"max,omitempty"`
}
