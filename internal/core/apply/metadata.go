package apply

import (
	"errors"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
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
func (p *Pod) setMetadata(op injector.Operation) {
	at, app := p.metadataAt(op)
	if op.Verb == injector.MergeJSON {
		op.Value = p.merged(at, app, op.Value.Value)
		op.OnTaken = injector.Replace
	}
	if node.IsNull(op.Value) {
		return
	}
	entries := len(p.Entries)
	switch p.settle(at, app, op.Value, op.OnTaken) {
	case keeps:
		p.warnOfMetadata(op, at)
		return
	case equal:
		return
	}
	path := p.At("metadata." + op.Row.Name() + "." + op.Key)
	isLabel := op.Row.Name() == labels
	if isLabel && slices.Contains(p.SelectorLabels, op.Key) {
		p.Entries = p.Entries[:entries]
		f := p.report(finding.Error, finding.SelectorLabel, path,
			"the workload's selector uses the label %q, so changing it would cut the workload off from its pods; "+
				"remove it from spec.patchPodMetadata, or exclude this workload", op.Key)
		f.Field.Current = node.Text(p.Node, "metadata", labels, op.Key)
		f.Field.Proposed = op.Value.Value
		return
	}
	p.findings = append(p.findings, p.SetNode(node.Fresh(op.Value), "metadata", op.Row.Name(), op.Key)...)
	if isLabel && p.LabelsAreSelector && node.IsNull(node.Get(p.Before, "metadata", labels, op.Key)) {
		p.report(finding.Warning, finding.SelectorLabel, path,
			"the workload has no selector, so the API server uses the labels of its pod template, "+
				"which now include %q; add a selector with the labels that it should use", op.Key)
	}
}

// metadataAt returns the address of a label or annotation, and what the app has there.
func (p *Pod) metadataAt(op injector.Operation) (at stamp.Address, app *node.Node) {
	return stamp.Address{Path: op.Row.Path, Key: op.Key}, node.Get(p.Node, "metadata", op.Row.Name(), op.Key)
}

// merged returns an annotation with a JSON object merged into it, or nil if that changes nothing. The result is one
// value.
func (p *Pod) merged(at stamp.Address, app *node.Node, patch string) *node.Node {
	current := ""
	if node.IsString(app) {
		current = app.Value
	}
	merged, err := mergeJSON(current, patch)
	if !node.IsNull(app) && current == "" {
		err = errors.New("it is " + node.Describe(app))
	}
	if err != nil {
		f := p.report(finding.Error, finding.AnnotationNotJSON, p.At("metadata."+annotations+"."+at.Key),
			"the annotation %q cannot be merged with a JSON object, because its value is not one: %v; "+
				"correct it, or set patchPolicy to Retain or Overwrite", at.Key, err)
		f.Field.Current = node.Brief(node.String(current))
		f.Field.Proposed = node.Brief(node.String(patch))
		return nil
	}
	if merged == current {
		p.Entries.Find(at, app) // also if it is missing: it is one value
		return nil
	}
	return node.String(merged)
}

// pinDefaultContainer names the app's first container as the default of kubectl if a sidecar was put in front of it
// and the pod names none. In a kind whose first container must be the app's, the sidecar is refused.
func (p *Pod) pinDefaultContainer(op injector.Operation) {
	if !p.hasSidecarInFront() { // as nearly always
		return
	}
	first := slices.IndexFunc(p.entries(containers), func(container *node.Node) bool {
		name := node.Text(container, "name")
		return name != "" && p.isAppContainer(name)
	})
	if first <= 0 {
		return
	}
	if p.Kind.First {
		p.report(finding.Error, finding.KindLimits, p.At("spec."+containers),
			"the controller of the kind %s takes the first container for the app's, and that would be %q; "+
				"put it behind the app's, or keep the kind out by spec.rules",
			p.Kind.Kind, node.Text(p.entries(containers)[0], "name"))
	}
	at, app := p.metadataAt(op)
	isNamed := node.IsString(app) && app.Value != ""
	if isNamed || node.Text(p.Node, "metadata", op.Row.Name(), pod.OlderDefaultContainer) != "" {
		return
	}
	if !p.IsBare { // otherwise, the annotation would be the object's
		value := node.String(node.Text(p.entries(containers)[first], "name"))
		p.Entries.Put(at, value)
		p.findings = append(p.findings, p.SetNode(value, "metadata", op.Row.Name(), op.Key)...)
	}
}

// hasSidecarInFront reports whether a container of this injector is in front of the app's first.
func (p *Pod) hasSidecarInFront() bool {
	for _, container := range p.entries(containers) {
		name := node.Text(container, "name")
		if isApps := !p.isInjected(containers, name); isApps || p.plan.Has(name) {
			return !isApps
		}
	}
	return false
}
