package form

import (
	"reflect"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/config/schema"
)

// The types of OpenKruise's SidecarSet, in both of its versions, so that it can be decoded strictly. Where Pillion has
// the same type, it is used here, too.

const (
	// SidecarSetKind is the kind of a SidecarSet.
	SidecarSetKind  = "SidecarSet"
	sidecarSetAlpha = "apps.kruise.io/v1alpha1"
	sidecarSetBeta  = "apps.kruise.io/v1beta1"
)

// The annotations that let a SidecarSet replace another one for some pods.
const (
	canaryAnnotation = "apps.kruise.io/sidecarset-canary"
	baseAnnotation   = "apps.kruise.io/sidecarset-base"
)

type sidecarSet struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Metadata   metav1.ObjectMeta `json:"metadata"`
	Spec       sidecarSetSpec    `json:"spec"`
	Status     schema.Ignored    `json:"status,omitempty"`
}

type sidecarSetSpec struct {
	Selector          *metav1.LabelSelector `json:"selector,omitempty"`
	NamespaceSelector *metav1.LabelSelector `json:"namespaceSelector,omitempty"`
	Namespace         string                `json:"namespace,omitempty"`     // in v1alpha1
	CustomVersion     string                `json:"customVersion,omitempty"` // in v1beta1

	InitContainers   []sidecarSetContainer         `json:"initContainers,omitempty"`
	Containers       []sidecarSetContainer         `json:"containers,omitempty"`
	Volumes          []corev1.Volume               `json:"volumes,omitempty"`
	ImagePullSecrets []corev1.LocalObjectReference `json:"imagePullSecrets,omitempty"`
	PatchPodMetadata []annotationsPatch            `json:"patchPodMetadata,omitempty"`

	InjectionStrategy    injectionStrategy `json:"injectionStrategy,omitempty"`
	UpdateStrategy       updateStrategy    `json:"updateStrategy,omitempty"`
	RevisionHistoryLimit *int32            `json:"revisionHistoryLimit,omitempty"`
}

// sidecarSetContainer is a container with settings.
type sidecarSetContainer struct {
	corev1.Container `json:",inline"`

	PodInjectPolicy         v1alpha1.PodInjectPolicy `json:"podInjectPolicy,omitempty"`
	UpgradeStrategy         upgradeStrategy          `json:"upgradeStrategy,omitempty"`
	ShareVolumePolicy       *sharePolicy             `json:"shareVolumePolicy,omitempty"`
	ShareVolumeDevicePolicy *sharePolicy             `json:"shareVolumeDevicePolicy,omitempty"`
	TransferEnv             []v1alpha1.TransferEnv   `json:"transferEnv,omitempty"`
	ResourcesPolicy         *resourcesPolicy         `json:"resourcesPolicy,omitempty"`
}

// upgradeStrategy is how OpenKruise updates a sidecar in a running pod.
type upgradeStrategy struct {
	UpgradeType          upgradeType `json:"upgradeType,omitempty"`
	HotUpgradeEmptyImage string      `json:"hotUpgradeEmptyImage,omitempty"`
}

type sharePolicy struct {
	Type shareType `json:"type,omitempty"`
}

type resourcesPolicy struct {
	TargetContainersMode      targetContainersMode   `json:"targetContainersMode,omitempty"`
	TargetContainersNameRegex string                 `json:"targetContainersNameRegex,omitempty"`
	ResourcesExpr             v1alpha1.ResourcesExpr `json:"resourcesExpr"`
}

// annotationsPatch has no labels, because a SidecarSet patches none.
type annotationsPatch struct {
	Annotations map[string]string    `json:"annotations,omitempty"`
	PatchPolicy v1alpha1.PatchPolicy `json:"patchPolicy,omitempty"`
}

// injectionStrategy is whether new pods get the sidecars, and which revision of them.
type injectionStrategy struct {
	Paused   bool `json:"paused,omitempty"`
	Revision *struct {
		CustomVersion *string        `json:"customVersion,omitempty"`
		RevisionName  *string        `json:"revisionName,omitempty"`
		Policy        revisionPolicy `json:"policy,omitempty"`
	} `json:"revision,omitempty"`
}

// updateStrategy is how OpenKruise updates running pods.
type updateStrategy struct {
	Type             updateType            `json:"type,omitempty"`
	Paused           bool                  `json:"paused,omitempty"`
	Selector         *metav1.LabelSelector `json:"selector,omitempty"`
	Partition        *intstr.IntOrString   `json:"partition,omitempty"`
	MaxUnavailable   *intstr.IntOrString   `json:"maxUnavailable,omitempty"`
	PriorityStrategy struct {
		OrderPriority []struct {
			OrderedKey string `json:"orderedKey"`
		} `json:"orderPriority,omitempty"`
		WeightPriority []struct {
			Weight        int32                `json:"weight"`
			MatchSelector metav1.LabelSelector `json:"matchSelector"`
		} `json:"weightPriority,omitempty"`
	} `json:"priorityStrategy,omitempty"`
	ScatterStrategy []struct {
		Key   string `json:"key"`
		Value string `json:"value"`
	} `json:"scatterStrategy,omitempty"`
}

// The types of strings that have certain values.
type (
	upgradeType          string
	revisionPolicy       string
	updateType           string
	shareType            string
	targetContainersMode string
)

const (
	hotUpgrade upgradeType = "HotUpgrade" // two containers take turns
	notUpdate  updateType  = "NotUpdate"

	shareEnabled shareType = "enabled"

	targetContainersSum targetContainersMode = "sum"
	targetContainersMax targetContainersMode = "max"
)

var allowedInSidecarSets = map[reflect.Type][]string{
	reflect.TypeFor[upgradeType]():          {"ColdUpgrade", string(hotUpgrade)},
	reflect.TypeFor[revisionPolicy]():       {"Always", "Partial"},
	reflect.TypeFor[updateType]():           {string(notUpdate), "RollingUpdate"},
	reflect.TypeFor[shareType]():            {string(shareEnabled), "disabled"},
	reflect.TypeFor[targetContainersMode](): v1alpha1.Words(targetContainersSum, targetContainersMax),
}
