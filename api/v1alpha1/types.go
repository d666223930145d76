// Package v1alpha1 is Pillion's API: the SidecarInjector, which declares which pods get a sidecar,
// and what the sidecar is. Programs can read it from YAML, or make it of these types:
// see Read and New of package transformers.
// +groupName=pillion.dev
// +kubebuilder:object:generate=true
package v1alpha1

//go:generate go run -C generate .
//go:generate go -C generate tool controller-gen object paths=pillion.dev/pillion/api/v1alpha1

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

// SidecarInjector declares which pods get a sidecar, and what the sidecar is.
// +kubebuilder:resource:scope=Cluster
type SidecarInjector struct {
	// apiVersion is pillion.dev/v1alpha1.
	// +kubebuilder:validation:Enum=pillion.dev/v1alpha1
	APIVersion string `json:"apiVersion"`
	// kind is SidecarInjector.
	// +kubebuilder:validation:Enum=SidecarInjector
	Kind string `json:"kind"`
	// metadata names the injector; the name is its identity.
	Metadata Metadata `json:"metadata"`
	// spec is the declaration itself.
	Spec SidecarInjectorSpec `json:"spec"`
}

// SidecarInjectorList holds several injectors, applied in order.
type SidecarInjectorList struct {
	// apiVersion is pillion.dev/v1alpha1.
	// +kubebuilder:validation:Enum=pillion.dev/v1alpha1
	APIVersion string `json:"apiVersion"`
	// kind is SidecarInjectorList.
	// +kubebuilder:validation:Enum=SidecarInjectorList
	Kind string `json:"kind"`
	// metadata is optional on a list.
	Metadata *Metadata `json:"metadata,omitempty"`
	// items are the injectors, applied in this order.
	Items []SidecarInjector `json:"items"`
}

// Metadata is the part of Kubernetes' object metadata that a config file has.
type Metadata struct {
	// name is the injector's identity.
	// +kubebuilder:validation:MaxLength=63
	Name string `json:"name"`
	// namespace is accepted, because tools set it, and has no effect.
	Namespace string `json:"namespace,omitempty"`
	// labels are accepted, because tools set them, and have no effect.
	Labels map[string]string `json:"labels,omitempty"`
	// annotations are accepted, because tools set them, and have no effect on Pillion.
	Annotations map[string]string `json:"annotations,omitempty"`
}

// SidecarInjectorSpec declares which pods get the sidecar, what it is, and what to do about conflicts.
type SidecarInjectorSpec struct {
	// action is what to do: Inject adds the sidecar to the pods that are selected, updates it, and
	// removes it from those that are no longer selected; Remove removes what was injected before;
	// Verify changes nothing, and fails if Inject would change something.
	Action Action `json:"action,omitempty"`
	// paused stops the injector: it adds, changes and removes nothing.
	Paused bool `json:"paused,omitempty"`
	// kubernetesVersion is the version of the cluster, such as "1.33". It decides whether
	// there are native sidecars. The default is the newest.
	// +kubebuilder:validation:Pattern=`^v?[0-9]+\.[0-9]+(\.[0-9]+)?$`
	KubernetesVersion string `json:"kubernetesVersion,omitempty"`

	// selector selects pods by the labels that selectorScope chooses. Without it every pod is selected.
	Selector *metav1.LabelSelector `json:"selector,omitempty"`
	// selectorScope is which labels selector and neverInjectSelector match: those of the pod
	// template, or of the workload itself.
	SelectorScope SelectorScope `json:"selectorScope,omitempty"`
	// neverInjectSelector keeps a pod out if any of these matches, whatever else matches.
	NeverInjectSelector []metav1.LabelSelector `json:"neverInjectSelector,omitempty"`
	// namespaces are the namespaces that are in and out, by name. Kubernetes' own namespaces are always
	// out, unless they are included by their full names.
	Namespaces *Namespaces `json:"namespaces,omitempty"`
	// namespaceSelector is matched against the labels of the workload's namespace: those of
	// the Namespace object in the input, or else those in namespaceLabels.
	NamespaceSelector *metav1.LabelSelector `json:"namespaceSelector,omitempty"`
	// namespaceLabels are the labels of namespaces that are not in the input, by namespace name.
	NamespaceLabels map[string]map[string]string `json:"namespaceLabels,omitempty"`
	// defaultNamespace is the namespace that workloads without metadata.namespace will go to. Conditions and
	// variables use it in place of the missing one. The flag --namespace takes precedence over it.
	DefaultNamespace string `json:"defaultNamespace,omitempty"`
	// rules are the resources to inject into, as in an admission configuration; "*" is a wildcard.
	Rules []Rule `json:"rules,omitempty"`
	// names are names of workloads. "*" stands for any number of characters and "?" for one, as in namespaces.
	Names []string `json:"names,omitempty"`
	// excludeNames are names of workloads to leave alone, with the same wildcards.
	ExcludeNames []string `json:"excludeNames,omitempty"`
	// marker is the annotation or label by which a pod opts in ("true"), opts out ("false")
	// or names its injectors ("envoy,logs").
	Marker string `json:"marker,omitempty"`
	// policy is for pods that opt neither in nor out: Enabled injects into them, Disabled does not.
	Policy Policy `json:"policy,omitempty"`
	// workloads declares where pods are in kinds that are not built in. For a kind that is, the
	// declared paths replace the built-in ones.
	Workloads []Workload `json:"workloads,omitempty"`

	// containers are the sidecars: Kubernetes containers, which are added to the pod as they are
	// written here, and a few fields of Pillion's own, which are not.
	Containers []Container `json:"containers,omitempty"`
	// initContainers are added to the pod's init containers.
	InitContainers []InitContainer `json:"initContainers,omitempty"`
	// volumes are added to the pod's volumes.
	Volumes []corev1.Volume `json:"volumes,omitempty"`
	// imagePullSecrets are added to the pod's imagePullSecrets.
	ImagePullSecrets []corev1.LocalObjectReference `json:"imagePullSecrets,omitempty"`
	// appContainers are what the app's own containers get. If several entries set the same
	// variable or mount path of a container, the first counts.
	AppContainers []AppContainers `json:"appContainers,omitempty"`
	// patchPodMetadata are labels and annotations for the pod template.
	PatchPodMetadata []PodMetadataPatch `json:"patchPodMetadata,omitempty"`
	// podSpec is any other field of the pod. It is set if the pod does not set it; lists are added to.
	PodSpec *corev1.PodSpec `json:"podSpec,omitempty"`

	// onDrift is what to do about changes by hand in an injected sidecar.
	OnDrift OnDrift `json:"onDrift,omitempty"`
	// adopt takes over containers and volumes of the same names that no injector has recorded, if
	// they are equal to those of the config except for image and order.
	Adopt bool `json:"adopt,omitempty"`
	// onConflict is what to do if the pod already has something different of the same name.
	OnConflict OnConflict `json:"onConflict,omitzero"`
	// checks are requirements on the pod after the injection.
	Checks Checks `json:"checks,omitzero"`
	// jobs is what to do with pods that are meant to finish: Native adds sidecars as to other pods,
	// Skip leaves the pod alone, Error refuses it. Inject leaves sidecars plain where mode Auto can be plain.
	Jobs JobPolicy `json:"jobs,omitempty"`
	// hostNetwork is what to do with pods on the host's network, where their ports are ports of the host.
	HostNetwork PodPolicy `json:"hostNetwork,omitempty"`
	// helmHooks is what to do with Helm hooks.
	HelmHooks PodPolicy `json:"helmHooks,omitempty"`
	// helmReleases is what to do with the HelmReleases of Flux, whose pods are in no manifest: Report counts
	// them as not checked, Patch adds the sidecar to their charts by an entry of spec.postRenderers.
	HelmReleases HelmReleases `json:"helmReleases,omitempty"`
	// report is the lowest severity that is written to standard error line by line. Findings below
	// it are counted.
	Report ReportLevel `json:"report,omitempty"`
	// expect makes it an error if fewer or more workloads have the sidecar after the run. Remove ignores it.
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

// OnDrift is what to do about changes by hand.
// +enum
type OnDrift string

// What to do about changes by hand.
const (
	DriftOverwrite OnDrift = "Overwrite"
	DriftError     OnDrift = "Error"
)

// HelmReleases is what to do with HelmReleases.
// +enum
type HelmReleases string

// What to do with HelmReleases.
const (
	ReleasesReport HelmReleases = "Report"
	ReleasesPatch  HelmReleases = "Patch"
)

// SelectorScope is which labels a selector matches.
// +enum
type SelectorScope string

// The scopes: the pod template's labels, or the workload's own.
const (
	ScopePodTemplate SelectorScope = "PodTemplate"
	ScopeWorkload    SelectorScope = "Workload"
)

// Policy is what to do with a pod without a marker.
// +enum
type Policy string

// The policies: inject unless opted out, or only when opted in.
const (
	PolicyEnabled  Policy = "Enabled"
	PolicyDisabled Policy = "Disabled"
)

// Namespaces are the namespaces that are in and out, by name. In both lists, "*" stands for any number of
// characters and "?" for one.
type Namespaces struct {
	// Include, if set, lists the only namespaces in which workloads get the sidecar. Those of Kubernetes
	// itself (kube-system, kube-public and kube-node-lease) are included only by their full names.
	Include []string `json:"include,omitempty"`
	// exclude lists the namespaces that are left alone, in addition to those of Kubernetes itself.
	Exclude []string `json:"exclude,omitempty"`
}

// Rule is a set of resources, as in an admission configuration.
type Rule struct {
	// apiGroups are API groups; "" is the core group and "*" is all.
	APIGroups []string `json:"apiGroups"`
	// apiVersions are versions, such as v1; "*" is all.
	APIVersions []string `json:"apiVersions"`
	// resources are lower-case plurals, such as deployments; "*" is all.
	Resources []string `json:"resources"`
}

// Workload declares where the pod templates of a kind are.
type Workload struct {
	// group is the kind's API group; any version of it counts.
	Group string `json:"group,omitempty"`
	// kind is the kind.
	Kind string `json:"kind"`
	// podTemplates are paths to the mappings that hold pod metadata and spec, such as
	// spec.podTemplate or spec.tasks[].template. None, [], says that the kind gets no sidecars.
	PodTemplates []string `json:"podTemplates,omitempty"`
	// podSpecs are paths to pod specs without metadata beside them, such as spec.predictor. Labels,
	// annotations and the marker are those of the object, which gets the stamp, too.
	PodSpecs []string `json:"podSpecs,omitempty"`
	// partial says that an operator completes the pod templates. Otherwise one without
	// containers is taken for a patch, and left alone.
	Partial bool `json:"partial,omitempty"`
}

// Container is a sidecar: a Kubernetes container, and how it is added.
type Container struct {
	corev1.Container `json:",inline"`
	Placement        `json:",inline"`
	FromApp          `json:",inline"`
	Overriding       `json:",inline"`

	// mode makes the sidecar a native one (an init container that restarts always) or a plain
	// container; Auto makes it native, unless kubernetesVersion is below 1.29.
	Mode Mode `json:"mode,omitempty"`
}

// InitContainer is a Kubernetes container for the pod's init containers, and how it is added.
type InitContainer struct {
	corev1.Container `json:",inline"`
	Placement        `json:",inline"`
	FromApp          `json:",inline"`
	Overriding       `json:",inline"`
}

// Placement is the position of a container in its list. Pillion reads it and does not write it to the manifest.
type Placement struct {
	// podInjectPolicy puts the container before or after the app's own. The default is after them,
	// and for a native sidecar before the app's init containers.
	PodInjectPolicy PodInjectPolicy `json:"podInjectPolicy,omitempty"`
	// before is the name of the container that this one is put before.
	Before string `json:"before,omitempty"`
	// after is the name of the container that this one is put after.
	After string `json:"after,omitempty"`
}

// Mode is the kind of container that a sidecar becomes.
// +enum
type Mode string

// The modes.
const (
	ModeAuto      Mode = "Auto"
	ModeNative    Mode = "Native"
	ModeContainer Mode = "Container"
)

// PodInjectPolicy is the side of the app's containers on which a sidecar is put.
// +enum
type PodInjectPolicy string

// The sides.
const (
	AfterAppContainer  PodInjectPolicy = "AfterAppContainer"
	BeforeAppContainer PodInjectPolicy = "BeforeAppContainer"
)

// OnConflict is what to do if the pod already has something different of the same key.
type OnConflict struct {
	// container is for a container of the same name that differs: Error, Keep the app's, Merge the two
	// with the app's fields first, or Replace it.
	Container ContainerConflict `json:"container,omitempty"`
	// volume is for a volume of the same name that differs.
	Volume Conflict `json:"volume,omitempty"`
	// env is for a variable of the same name with another value.
	Env Conflict `json:"env,omitempty"`
	// mountPath is for a path at which something else is mounted already.
	MountPath Conflict `json:"mountPath,omitempty"`
	// port is for a port number or name that another container of the pod has: Error, or Keep the
	// app's and leave the sidecar's port out.
	Port PortConflict `json:"port,omitempty"`
}

// Conflict is what to do with an entry that differs.
// +enum
type Conflict string

// What to do about a conflict.
const (
	ConflictError   Conflict = "Error"
	ConflictKeep    Conflict = "Keep"
	ConflictReplace Conflict = "Replace"
)

// ContainerConflict is what to do with a container that differs.
// +enum
type ContainerConflict string

// What to do about a container conflict.
const (
	ContainerError   ContainerConflict = "Error"
	ContainerKeep    ContainerConflict = "Keep"
	ContainerMerge   ContainerConflict = "Merge"
	ContainerReplace ContainerConflict = "Replace"
)

// PortConflict is what to do with a port that is taken.
// +enum
type PortConflict string

// What to do about a port conflict. A port of the app is never removed.
const (
	PortError PortConflict = "Error"
	PortKeep  PortConflict = "Keep"
)

// JobPolicy is what to do with pods that are meant to finish.
// +enum
type JobPolicy string

// The policies for such pods. Native: sidecars of mode Auto are native; Inject: they are plain, with a warning, where
// mode Auto can be plain; Skip: the pod is left alone; Error: the workload is refused.
const (
	JobsNative JobPolicy = "Native"
	JobsInject JobPolicy = "Inject"
	JobsSkip   JobPolicy = "Skip"
	JobsError  JobPolicy = "Error"
)

// PodPolicy is what to do with pods on the host's network, or with Helm hooks.
// +enum
type PodPolicy string

// The policies for these pods.
const (
	PodInject PodPolicy = "Inject"
	PodSkip   PodPolicy = "Skip"
	PodError  PodPolicy = "Error"
)

// ReportLevel is the lowest severity that is written line by line.
// +enum
type ReportLevel string

// The levels.
const (
	ReportInfo    ReportLevel = "Info"
	ReportWarning ReportLevel = "Warning"
	ReportError   ReportLevel = "Error"
)

// Expect bounds how many workloads have the sidecar after a run: they are injected, updated or unchanged.
type Expect struct {
	// min is the fewest workloads that must have it.
	Min *int `json:"min,omitempty"`
	// max is the most workloads that may have it.
	Max *int `json:"max,omitempty"`
}
