package v1alpha1

// Overriding says what a pod may change about a container of the payload. Pillion reads it; it
// never reaches the manifest.
type Overriding struct {
	// AllowOverride are the fields that an annotation of the pod template may set, such as image
	// or resources.requests.cpu: pillion.dev/NAME.FIELD is the annotation for the container NAME.
	AllowOverride []string `json:"allowOverride,omitempty"`
}

// OverridePrefix is what the annotations that override a field begin with.
const OverridePrefix = Group + "/"
