// Package sidecarset has the types of OpenKruise's SidecarSet, in both of its versions, so that it can be decoded strictly. Where
// Pillion has the same type, it is used here, too.
package sidecarset

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"pillion.dev/pillion/api/v1alpha1"
)

// The kind of a SidecarSet, and its versions.
const (
	Kind  = "SidecarSet"
	Alpha = "apps.kruise.io/v1alpha1"
	Beta  = "apps.kruise.io/v1beta1"
)

// The annotations that let a SidecarSet replace another one for some pods.
const (
	CanaryAnnotation = "apps.kruise.io/sidecarset-canary"
	BaseAnnotation   = "apps.kruise.io/sidecarset-base"
)

// AlphaSet is a SidecarSet of v1alpha1, which can name one namespace.
type AlphaSet struct {
	Shell `json:",inline"`
	Spec  AlphaSpec `json:"spec"`
}

// BetaSet is a SidecarSet of v1beta1, which has a field for its version in place of a label.
type BetaSet struct {
	Shell `json:",inline"`
	Spec  BetaSpec `json:"spec"`
}

// Shell is a SidecarSet without its spec.
type Shell struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Metadata   metav1.ObjectMeta `json:"metadata"`
	Status     Status            `json:"status,omitempty"`
}

// AlphaSpec is a spec of v1alpha1.
type AlphaSpec struct {
	Spec      `json:",inline"`
	Namespace string `json:"namespace,omitempty"`
}

// BetaSpec is a spec of v1beta1.
type BetaSpec struct {
	Spec          `json:",inline"`
	CustomVersion string `json:"customVersion,omitempty"`
}

// Spec holds the fields of both versions.
type Spec struct {
	Selector          *metav1.LabelSelector `json:"selector,omitempty"`
	NamespaceSelector *metav1.LabelSelector `json:"namespaceSelector,omitempty"`

	InitContainers   []Container                   `json:"initContainers,omitempty"`
	Containers       []Container                   `json:"containers,omitempty"`
	Volumes          []corev1.Volume               `json:"volumes,omitempty"`
	ImagePullSecrets []corev1.LocalObjectReference `json:"imagePullSecrets,omitempty"`
	PatchPodMetadata []MetadataPatch               `json:"patchPodMetadata,omitempty"`

	InjectionStrategy    InjectionStrategy `json:"injectionStrategy,omitempty"`
	UpdateStrategy       UpdateStrategy    `json:"updateStrategy,omitempty"`
	RevisionHistoryLimit *int32            `json:"revisionHistoryLimit,omitempty"`
}

// Container is a Kubernetes container with settings.
type Container struct {
	corev1.Container `json:",inline"`
	Settings         `json:",inline"`
}

// Settings are the fields of a container that are not part of a pod.
type Settings struct {
	PodInjectPolicy         v1alpha1.PodInjectPolicy  `json:"podInjectPolicy,omitempty"`
	UpgradeStrategy         UpgradeStrategy           `json:"upgradeStrategy,omitempty"`
	ShareVolumePolicy       SharePolicy               `json:"shareVolumePolicy,omitempty"`
	ShareVolumeDevicePolicy *SharePolicy              `json:"shareVolumeDevicePolicy,omitempty"`
	TransferEnv             []v1alpha1.TransferEnv    `json:"transferEnv,omitempty"`
	ResourcesPolicy         *v1alpha1.ResourcesPolicy `json:"resourcesPolicy,omitempty"`
}

// UpgradeStrategy is how OpenKruise updates a sidecar in a running pod.
type UpgradeStrategy struct {
	UpgradeType          UpgradeType `json:"upgradeType,omitempty"`
	HotUpgradeEmptyImage string      `json:"hotUpgradeEmptyImage,omitempty"`
}

// SharePolicy is whether the sidecar gets the mounts or devices of the app's containers.
type SharePolicy struct {
	Type v1alpha1.ShareType `json:"type,omitempty"`
}

// MetadataPatch is annotations for the pod; SidecarSet patches no labels.
type MetadataPatch struct {
	Annotations map[string]string    `json:"annotations,omitempty"`
	PatchPolicy v1alpha1.PatchPolicy `json:"patchPolicy,omitempty"`
}

// InjectionStrategy is whether new pods get the sidecars, and which revision of them.
type InjectionStrategy struct {
	Paused   bool      `json:"paused,omitempty"`
	Revision *Revision `json:"revision,omitempty"`
}

// Revision is an earlier state of the SidecarSet.
type Revision struct {
	CustomVersion *string        `json:"customVersion,omitempty"`
	RevisionName  *string        `json:"revisionName,omitempty"`
	Policy        RevisionPolicy `json:"policy,omitempty"`
}

// UpdateStrategy is how OpenKruise updates running pods.
type UpdateStrategy struct {
	Type             UpdateType            `json:"type,omitempty"`
	Paused           bool                  `json:"paused,omitempty"`
	Selector         *metav1.LabelSelector `json:"selector,omitempty"`
	Partition        *intstr.IntOrString   `json:"partition,omitempty"`
	MaxUnavailable   *intstr.IntOrString   `json:"maxUnavailable,omitempty"`
	PriorityStrategy *PriorityStrategy     `json:"priorityStrategy,omitempty"`
	ScatterStrategy  []ScatterTerm         `json:"scatterStrategy,omitempty"`
}

// PriorityStrategy is which pods are updated first.
type PriorityStrategy struct {
	OrderPriority  []OrderTerm  `json:"orderPriority,omitempty"`
	WeightPriority []WeightTerm `json:"weightPriority,omitempty"`
}

// OrderTerm orders pods by a label.
type OrderTerm struct {
	OrderedKey string `json:"orderedKey"`
}

// WeightTerm gives weight to pods.
type WeightTerm struct {
	Weight        int32                `json:"weight"`
	MatchSelector metav1.LabelSelector `json:"matchSelector"`
}

// ScatterTerm keeps pods with a label apart.
type ScatterTerm struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Status is the status of a SidecarSet in a cluster; it is not used.
type Status struct {
	ObservedGeneration int64  `json:"observedGeneration,omitempty"`
	MatchedPods        int32  `json:"matchedPods"`
	UpdatedPods        int32  `json:"updatedPods"`
	ReadyPods          int32  `json:"readyPods"`
	UpdatedReadyPods   int32  `json:"updatedReadyPods,omitempty"`
	LatestRevision     string `json:"latestRevision,omitempty"`
	CollisionCount     *int32 `json:"collisionCount,omitempty"`
}
