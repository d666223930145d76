package v1alpha1

// Overriding is what a pod may change in a container of the payload. Pillion reads it and does
// not write it to the manifest.
type Overriding struct {
	// allowOverride are the fields that an annotation of the pod template may set, such as image
	// or resources.requests.cpu: pillion.dev/NAME.FIELD is the annotation for the container NAME.
	AllowOverride []string `json:"allowOverride,omitempty"`
}

// OverridePrefix is the prefix of annotations that override a field.
const OverridePrefix = Group + "/"
