package payload

import (
	"errors"
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/yaml/node"
)

// The mappings of metadata.
const (
	labels      = "labels"
	annotations = "annotations"
)

// setPodMetadata sets the pod template's labels and annotations.
func setPodMetadata(pod *Pod) []finding.Finding {
	var findings []finding.Finding
	for _, patch := range pod.payload.PodMetadata {
		for key, value := range node.Fields(patch.Labels) {
			findings = append(findings, setLabel(pod, key, value, patch.Policy)...)
		}
		for key, value := range node.Fields(patch.Annotations) {
			findings = append(findings, setAnnotation(pod, key, value, patch.Policy)...)
		}
	}
	return findings
}

func setLabel(pod *Pod, key string, value *yaml.Node, policy v1alpha1.PatchPolicy) []finding.Finding {
	if pod.has(labels, key, value, policy) {
		pod.keepMetadata(labels, key, value)
		return nil
	}
	if slices.Contains(pod.SelectorLabels, key) {
		f := newFinding(finding.Error, finding.SelectorLabel, pod.At("metadata."+labels+"."+key),
			"the workload's selector uses the label %q, so changing it would cut the workload off from its pods; "+
				"remove it from spec.patchPodMetadata, or exclude this workload", key)
		f.Field.Current, f.Field.Proposed = node.Text(pod.Node, "metadata", labels, key), value.Value
		return []finding.Finding{f}
	}
	findings := pod.Set(value, "metadata", labels, key)
	if pod.LabelsAreSelector {
		findings = append(findings, newFinding(finding.Warning, finding.SelectorLabel, pod.At("metadata."+labels+"."+key),
			"the workload has no selector, so the API server uses the labels of its pod template, which now include %q; "+
				"add a selector with the labels that it should use", key))
	}
	return findings
}

func setAnnotation(pod *Pod, key string, value *yaml.Node, policy v1alpha1.PatchPolicy) []finding.Finding {
	if policy == v1alpha1.PatchMergeJSON {
		return mergeAnnotation(pod, key, value.Value)
	}
	if pod.has(annotations, key, value, policy) {
		pod.keepMetadata(annotations, key, value)
		return nil
	}
	return pod.Set(value, "metadata", annotations, key)
}

func mergeAnnotation(pod *Pod, key, patch string) []finding.Finding {
	present := node.Get(pod.Node, "metadata", annotations, key)
	current := node.Text(pod.Node, "metadata", annotations, key)
	merged, err := mergeJSON(current, patch)
	if !node.IsNull(present) && current == "" {
		err = errors.New("it is " + node.Describe(present))
	}
	if err != nil {
		f := newFinding(finding.Error, finding.AnnotationNotJSON, pod.At("metadata."+annotations+"."+key),
			"the annotation %q cannot be merged with a JSON object, because its value is not one: %v; "+
				"correct it, or set patchPolicy to Retain or Overwrite", key, err)
		f.Field.Current, f.Field.Proposed = node.Brief(node.String(current)), node.Brief(node.String(patch))
		return []finding.Finding{f}
	}
	if merged == current {
		return nil
	}
	return pod.Set(node.String(merged), "metadata", annotations, key)
}

// has reports whether a label or annotation is as the policy wants it.
func (p *Pod) has(field, key string, value *yaml.Node, policy v1alpha1.PatchPolicy) bool {
	present := node.Get(p.Node, "metadata", field, key)
	switch {
	case node.IsNull(value):
		return true
	case node.IsNull(present):
		return false
	default:
		return policy == v1alpha1.PatchRetain || node.Equal(present, value)
	}
}
