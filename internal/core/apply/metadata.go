package apply

import (
	"errors"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/ledger"
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
	p.checkSettable(op)
	if isLabel && p.LabelsAreSelector && node.IsNull(node.Get(p.Before, "metadata", labels, op.Key)) {
		p.report(finding.Warning, finding.SelectorLabel, path,
			"the workload has no selector, so the API server uses the labels of its pod template, "+
				"which now include %q; add a selector with the labels that it should use", op.Key)
	}
}

// metadataAt returns the address of a label or annotation, and what the app has there.
func (p *Pod) metadataAt(op injector.Operation) (at stamp.Address, app *node.Node) {
	at = stamp.Address{Path: op.Row.Path, Key: op.Key}
	return at, p.wantedOrApps(at)
}

// checkSettable reports a label or an annotation that cannot be set, because of what the app has there.
func (p *Pod) checkSettable(op injector.Operation) {
	mapping := node.Get(p.Node, "metadata", op.Row.Name())
	path := p.At("metadata." + op.Row.Name())
	if !node.IsNull(mapping) && mapping.Kind != node.MappingNode {
		p.report(finding.Error, finding.InvalidItem, path, "%s must be a mapping, but is %s", path, node.Describe(mapping))
		return
	}
	if value := node.Get(mapping, op.Key); !node.IsNull(value) && value.Kind != node.ScalarNode {
		path += "[" + op.Key + "]"
		p.report(finding.Error, finding.InvalidItem, path, "%s must be a string, but is %s", path, node.Describe(value))
	}
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
	all := p.ordered(containers)
	first := slices.IndexFunc(all, func(container *node.Node) bool {
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
			p.Kind.Kind, node.Text(all[0], "name"))
	}
	at, app := p.metadataAt(op)
	older := stamp.Address{Path: at.Path, Key: pod.OlderDefaultContainer}
	isNamed := node.IsString(app) && app.Value != ""
	if isNamed || node.Text(p.wantedOrApps(older)) != "" {
		return
	}
	if !p.IsBare { // otherwise, the annotation would be the object's
		p.Entries.Put(at, node.String(node.Text(all[first], "name")))
		p.checkSettable(op)
	}
}

// hasSidecarInFront reports whether a container of this injector is in front of the app's first.
func (p *Pod) hasSidecarInFront() bool {
	path := pod.InSpec(containers).Path
	isElsewhere := func(e ledger.Entry) bool { return e.Path == path && leavesEnd(e.Position) }
	if p.list(containers).apps > 0 && !slices.ContainsFunc(p.Entries, isElsewhere) {
		return false
	}
	for _, container := range p.ordered(containers) {
		name := node.Text(container, "name")
		if isApps := !p.isInjected(containers, name); isApps || p.plan.Has(name) {
			return !isApps
		}
	}
	return false
}
