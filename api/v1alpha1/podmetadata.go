package v1alpha1

// PodMetadataPatch is labels and annotations for the pod template.
type PodMetadataPatch struct {
	// labels are the pod's labels, except those that the workload's selector uses.
	Labels map[string]string `json:"labels,omitempty"`
	// annotations are the pod's annotations.
	Annotations map[string]string `json:"annotations,omitempty"`
	// patchPolicy is what to do with a value that is there: Retain it, Overwrite it, or merge the
	// JSON object that an annotation holds with the one given here.
	PatchPolicy PatchPolicy `json:"patchPolicy,omitempty"`
}

// PatchPolicy is what to do with metadata that is there already.
// +enum
type PatchPolicy string

// The patch policies, by the names that OpenKruise gave them.
const (
	PatchRetain    PatchPolicy = "Retain"
	PatchOverwrite PatchPolicy = "Overwrite"
	PatchMergeJSON PatchPolicy = "MergePatchJson"
)

// Default keeps what is there.
func (p *PodMetadataPatch) Default() {
	setDefault(&p.PatchPolicy, PatchRetain)
}
