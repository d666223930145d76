package v1alpha1

import corev1 "k8s.io/api/core/v1"

// FromApp is what a container gets from the app's containers. Pillion reads these fields and
// does not write them to the manifest.
type FromApp struct {
	// shareVolumePolicy gives the container the volume mounts of the app's containers.
	ShareVolumePolicy *ShareVolumePolicy `json:"shareVolumePolicy,omitempty"`
	// shareVolumeDevicePolicy gives the container the volume devices of the app's containers.
	ShareVolumeDevicePolicy *ShareVolumePolicy `json:"shareVolumeDevicePolicy,omitempty"`
	// transferEnv gives the container environment variables of other containers.
	TransferEnv []TransferEnv `json:"transferEnv,omitempty"`
	// resourcesPolicy computes the container's resources from those of the app's containers.
	ResourcesPolicy *ResourcesPolicy `json:"resourcesPolicy,omitempty"`
}

// ShareVolumePolicy is which mounts, or devices, of the app's containers a container gets.
type ShareVolumePolicy struct {
	// type turns the sharing on or off.
	Type ShareType `json:"type,omitempty"`
	// containers are the names of the containers to share with. Without it, these are the app's
	// containers, except init containers.
	Containers []string `json:"containers,omitempty"`
	// excludePaths are mount paths, or device paths, that are not shared.
	ExcludePaths []string `json:"excludePaths,omitempty"`
	// includeInjected shares what injectors of the run added before this container, too.
	IncludeInjected bool `json:"includeInjected,omitempty"`
}

// ShareType turns sharing on or off.
// +enum
type ShareType string

// On and off.
const (
	ShareEnabled  ShareType = "Enabled"
	ShareDisabled ShareType = "Disabled"
)

// TransferEnv is which variables of which container a container gets: all of them if it names none.
type TransferEnv struct {
	// sourceContainerName is the container to take variables from.
	SourceContainerName string `json:"sourceContainerName,omitempty"`
	// sourceContainerNameFrom is the field of the pod template that names that container.
	SourceContainerNameFrom *SourceContainerNameFrom `json:"sourceContainerNameFrom,omitempty"`
	// envName is the variable to take.
	EnvName string `json:"envName,omitempty"`
	// envNames are the variables to take.
	EnvNames []string `json:"envNames,omitempty"`
}

// SourceContainerNameFrom is the field of a pod template that names a container.
type SourceContainerNameFrom struct {
	// fieldRef is a label or an annotation of the pod template: metadata.labels['x'] or
	// metadata.annotations['x'].
	FieldRef *corev1.ObjectFieldSelector `json:"fieldRef"`
}

// ResourcesPolicy computes a container's resources from those of the app's containers.
type ResourcesPolicy struct {
	// targetContainersMode is what cpu and memory are in the expressions: the sum over the app's
	// containers, or the largest of them.
	TargetContainersMode TargetContainersMode `json:"targetContainersMode,omitempty"`
	// targetContainersNameRegex is a regular expression on the names of the app's containers
	// that count. Without it all do.
	TargetContainersNameRegex string `json:"targetContainersNameRegex,omitempty"`
	// resourcesExpr are the expressions.
	ResourcesExpr ResourcesExpr `json:"resourcesExpr"`
}

// TargetContainersMode is how the resources of several containers become one.
// +enum
type TargetContainersMode string

// The modes: all together, or the largest.
const (
	TargetContainersSum TargetContainersMode = "Sum"
	TargetContainersMax TargetContainersMode = "Max"
)

// ResourcesExpr are expressions for requests and limits. An expression for a request uses the
// app's requests, one for a limit the app's limits.
type ResourcesExpr struct {
	// requests are the expressions for requests.
	Requests *ComputeExpr `json:"requests,omitempty"`
	// limits are the expressions for limits.
	Limits *ComputeExpr `json:"limits,omitempty"`
}

// ComputeExpr are expressions for CPU and memory.
type ComputeExpr struct {
	// cpu is an expression over cpu, such as max(cpu*10%, 50m).
	CPU string `json:"cpu,omitempty"`
	// memory is an expression over memory, such as min(memory/4, 256Mi).
	Memory string `json:"memory,omitempty"`
}
