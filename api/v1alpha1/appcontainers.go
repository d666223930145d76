package v1alpha1

import corev1 "k8s.io/api/core/v1"

// AppContainers is what the app's own containers get, such as the address of the sidecar.
type AppContainers struct {
	// containers are the names of the app's containers that get it; "*" is all of them.
	Containers []string `json:"containers,omitzero"`
	// includeInit gives it to the app's init containers too, native sidecars among them.
	IncludeInit bool `json:"includeInit,omitempty"`
	// env are environment variables. If the app sets one itself, onConflict.env decides, unless the values are joined.
	Env []AppEnvVar `json:"env,omitempty"`
	// envFrom are ConfigMaps and Secrets of which all keys become environment variables.
	EnvFrom []corev1.EnvFromSource `json:"envFrom,omitempty"`
	// volumeMounts are mounts of volumes of the pod. If the app mounts something else at a
	// path, onConflict.mountPath decides.
	VolumeMounts []corev1.VolumeMount `json:"volumeMounts,omitempty"`
	// envPosition puts env before the app's own variables, so that these can use it by $(NAME), or
	// after them.
	EnvPosition EnvPosition `json:"envPosition,omitempty"`
}

// AppEnvVar is an environment variable for containers of the app.
type AppEnvVar struct {
	corev1.EnvVar `json:",inline"`

	// join is the separator that the value is joined with to the app's own value of the variable: a space for
	// JAVA_TOOL_OPTIONS, a colon for PYTHONPATH. A value that is there already, as a whole between separators, is not
	// added again.
	Join string `json:"join,omitempty"`
	// joinOrder puts the value after the app's own, or before it.
	JoinOrder JoinOrder `json:"joinOrder,omitempty"`
}

// JoinOrder is the side of the app's value on which another is joined to it.
// +enum
type JoinOrder string

// The sides of the app's value. Without one, it is JoinAfter.
const (
	JoinAfter  JoinOrder = "After"
	JoinBefore JoinOrder = "Before"
)

// AllContainers means every container of the app.
const AllContainers = "*"

// EnvPosition is the side of the app's own variables on which others are put.
// +enum
type EnvPosition string

// The sides of the app's own variables.
const (
	EnvPrepend EnvPosition = "Prepend"
	EnvAppend  EnvPosition = "Append"
)

// Default chooses all of the app's containers, and puts variables before the app's own.
func (a *AppContainers) Default() {
	if a.Containers == nil {
		a.Containers = []string{AllContainers}
	}
	setDefault(&a.EnvPosition, EnvPrepend)
}
