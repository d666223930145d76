package apply

import (
	"errors"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/plan"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// The mappings of metadata.
const (
	labels      = "labels"
	annotations = "annotations"
)

// setMetadata sets a label or an annotation of the pod template.
func (p *Pod) setMetadata(op plan.Operation) {
	t := p.metadataAt(op.Row.Name(), op.Key)
	if op.Verb == plan.Join {
		op.Value, op.OnTaken = p.merged(t, op.Value.Value), plan.Replace
	}
	if node.IsNull(op.Value) {
		return
	}
	intents := len(p.Intents)
	switch p.settle(t, op.Value, op.OnTaken) {
	case keeps:
		p.keepMetadata(op, t.at)
		return
	case equal:
		return
	}
	path, isLabel := p.At("metadata."+op.Row.Name()+"."+op.Key), op.Row.Name() == labels
	if isLabel && slices.Contains(p.SelectorLabels, op.Key) {
		p.Intents = p.Intents[:intents]
		f := p.report(finding.Error, finding.SelectorLabel, path,
			"the workload's selector uses the label %q, so changing it would cut the workload off from its pods; "+
				"remove it from spec.patchPodMetadata, or exclude this workload", op.Key)
		f.Field.Current, f.Field.Proposed = node.Text(p.Node, "metadata", labels, op.Key), op.Value.Value
		return
	}
	p.writeMetadata(t, op.Value)
	if isLabel && p.LabelsAreSelector && !t.isOthers {
		p.report(finding.Warning, finding.SelectorLabel, path,
			"the workload has no selector, so the API server uses the labels of its pod template, which now include %q; "+
				"add a selector with the labels that it should use", op.Key)
	}
}

// metadataAt returns the label or annotation of a key.
func (p *Pod) metadataAt(field, key string) taken {
	return p.takenAt(stamp.Address{Path: pod.Of("metadata", field).Path, Key: key}, node.Get(p.Node, "metadata", field, key))
}

// writeMetadata sets a label or annotation, unless another injector has done so.
func (p *Pod) writeMetadata(t taken, value *node.Node) {
	field := stamp.AddressOf(t.at.Path).Key
	if !t.isOthers || node.IsNull(node.Get(p.Node, "metadata", field, t.at.Key)) {
		p.findings = append(p.findings, p.SetNode(node.Fresh(value), "metadata", field, t.at.Key)...)
	}
}

// merged returns an annotation with a JSON object merged into it, or nil if that changes nothing. The result is one value.
func (p *Pod) merged(t taken, patch string) *node.Node {
	current := ""
	if node.IsString(t.app) {
		current = t.app.Value
	}
	merged, err := mergeJSON(current, patch)
	if !node.IsNull(t.app) && current == "" {
		err = errors.New("it is " + node.Describe(t.app))
	}
	if err != nil {
		f := p.report(finding.Error, finding.AnnotationNotJSON, p.At("metadata."+annotations+"."+t.at.Key),
			"the annotation %q cannot be merged with a JSON object, because its value is not one: %v; "+
				"correct it, or set patchPolicy to Retain or Overwrite", t.at.Key, err)
		f.Field.Current, f.Field.Proposed = node.Brief(node.String(current)), node.Brief(node.String(patch))
		return nil
	}
	if merged == current {
		p.Intents.addApps(t.at, t.app) // also if it is missing: it is one value
		return nil
	}
	return node.String(merged)
}

// keepDefaultContainer names the app's first container as the default of kubectl if a sidecar was put in front of it and the
// pod names none.
func (p *Pod) keepDefaultContainer(op plan.Operation) {
	const olderKey = "kubectl.kubernetes.io/default-logs-container"
	t := p.metadataAt(annotations, op.Key)
	isNamed := node.IsString(t.app) && t.app.Value != ""
	if isNamed || node.Text(p.Node, "metadata", annotations, olderKey) != "" {
		return
	}
	first := slices.IndexFunc(p.entries(containers), func(container *node.Node) bool {
		name := node.Text(container, "name")
		return name != "" && p.isAppContainer(name)
	})
	if first > 0 && p.hasSidecarInFront() {
		value := node.String(node.Text(p.entries(containers)[first], "name"))
		p.Intents.add(t.at, value)
		p.writeMetadata(t, value)
	}
}

// hasSidecarInFront reports whether a container of this injector is in front of the app's first, also if it shares the container with
// another injector. Those of other injectors do not count, and neither do those next to them: they may come and go.
func (p *Pod) hasSidecarInFront() bool {
	for _, container := range p.entries(containers) {
		name := node.Text(container, "name")
		_, isBeside := p.Placed.Beside[stamp.InSpec(containers, name)]
		if isApps, isMine := !p.isInjected(containers, name), p.plan.Has(name); isApps || isMine && !isBeside {
			return !isApps
		}
	}
	return false
}
