package apply

import (
	"errors"
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/stamp"
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
	isOthers, isDone := pod.settleMetadata(labels, key, value, policy)
	if isDone {
		return nil
	}
	if slices.Contains(pod.SelectorLabels, key) {
		f := newFinding(finding.Error, finding.SelectorLabel, pod.At("metadata."+labels+"."+key),
			"the workload's selector uses the label %q, so changing it would cut the workload off from its pods; "+
				"remove it from spec.patchPodMetadata, or exclude this workload", key)
		f.Field.Current, f.Field.Proposed = node.Text(pod.Node, "metadata", labels, key), value.Value
		return []finding.Finding{f}
	}
	findings := pod.setMetadata(labels, key, value, isOthers)
	if pod.LabelsAreSelector && !isOthers {
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
	isOthers, isDone := pod.settleMetadata(annotations, key, value, policy)
	if isDone {
		return nil
	}
	return pod.setMetadata(annotations, key, value, isOthers)
}

// settleMetadata reports whether a label or annotation of the app is as the policy wants it, and whether another injector has set it.
func (p *Pod) settleMetadata(field, key string, value *yaml.Node, policy v1alpha1.PatchPolicy) (isOthers, isDone bool) {
	at := stamp.Thing{Path: "metadata/" + field, Key: key}
	app, isOthers := p.inApp(at, node.Get(p.Node, "metadata", field, key))
	switch {
	case node.IsNull(value):
		return isOthers, true
	case node.IsNull(app):
		return isOthers, false
	case policy == v1alpha1.PatchRetain:
		p.keepMetadata(field, key, value)
		return isOthers, true
	case node.Equal(app, value):
		p.wishes.addApps(at, value)
		return isOthers, true
	default:
		return isOthers, false
	}
}

// setMetadata sets a label or annotation, unless another injector has done so.
func (p *Pod) setMetadata(field, key string, value *yaml.Node, isOthers bool) []finding.Finding {
	p.wishes.add(stamp.Thing{Path: "metadata/" + field, Key: key}, value)
	if isOthers && !node.IsNull(node.Get(p.Node, "metadata", field, key)) {
		return nil
	}
	return p.Set(value, "metadata", field, key)
}

func mergeAnnotation(pod *Pod, key, patch string) []finding.Finding {
	at := stamp.Thing{Path: "metadata/" + annotations, Key: key}
	present, isOthers := pod.inApp(at, node.Get(pod.Node, "metadata", annotations, key))
	current := ""
	if node.IsString(present) {
		current = present.Value
	}
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
		pod.wishes.addApps(at, present) // also if it is missing: it is one value
		return nil
	}
	return pod.setMetadata(annotations, key, node.String(merged), isOthers)
}
