package apply

import (
	"maps"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/ledger"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/core/version"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Transformer is a transformer of another program. It changes the template of the pod, and nothing else of it.
type Transformer func(*Pod) []finding.Finding

// transform runs the transformers of other programs. The containers that they add count as the injector's.
func (p *Pod) transform(all []Transformer) {
	if len(all) == 0 {
		return
	}
	present := p.containerNames()
	metadata := node.Get(p.Node, "metadata")
	for _, transform := range all {
		if p.findings = append(p.findings, transform(p)...); finding.HasError(p.findings) {
			return
		}
	}
	now := p.containerNames()
	for name := range now {
		if !present[name] {
			p.setHas(name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(present)) {
		if !now[name] {
			p.report(finding.Error, finding.ContainerMissing, p.At("spec"),
				"a transformer removes container %q, which a later run could not restore; keep the container", name)
		}
	}
	p.checkReserved(metadata)
}

func (p *Pod) containerNames() map[string]bool {
	names := namesOf(node.List(p.Spec(), containers))
	maps.Copy(names, namesOf(node.List(p.Spec(), initContainers)))
	return names
}

// checkReserved reports labels and annotations that transformers must not change, given the metadata before: those of
// Pillion, by which a later run would decide differently, and the labels by which a workload finds its pods.
func (p *Pod) checkReserved(before *node.Node) {
	for _, field := range []string{annotations, labels} {
		for _, key := range node.DifferingKeys(node.Get(before, field), node.Get(p.Node, "metadata", field)) {
			path := p.At("metadata." + field + "." + key)
			switch {
			case field == labels && slices.Contains(p.SelectorLabels, key):
				p.report(finding.Error, finding.SelectorLabel, path,
					"a transformer changes the label %s, which the workload's selector uses; leave the label as it is",
					key)
			case key == p.plan.Spec.Marker || strings.HasPrefix(key, v1alpha1.Group+"/"):
				p.report(finding.Error, finding.InvalidItem, path,
					"a transformer changes %s in the %s, by which Pillion decides about the pod; "+
						"set it in the manifest", key, field)
			}
		}
	}
}

// Alone returns a copy of the app with what the injector wants, as if there were no other.
func (p *Pod) Alone() *node.Node {
	alone := version.Version{
		Template: p.Copy(),
		App:      p.AppView,
		Before:   p.viewBefore(),
		Owners:   &ledger.Owners{},
		Index:    &version.Index{},
	}
	alone.With(p.Entries)
	placed := version.AppendPlaced(nil, p.Entries)
	alone.Order(version.OrderAlone(p.AppView, placed), placed)
	return alone.Node
}

// noteOutside adds to what the injector wants what transformers changed of that, and of the app.
func (p *Pod) noteOutside() {
	view := stamp.NewView(p.Node)
	isKnown := map[stamp.Address]bool{}
	for i := range p.Entries {
		e := &p.Entries[i]
		isKnown[e.Address] = true
		switch {
		case e.Verb == ledger.Join:
			isKnown[e.Child("value")] = true
		case !e.IsApps():
			e.Value = view.At(e.Path, e.Key)
		}
	}
	isGone := func(e ledger.Entry) bool { return e.Verb == ledger.Put && e.Value == nil }
	p.Entries = slices.DeleteFunc(p.Entries, isGone)
	for _, e := range version.Difference(p.untransformed, p.Node) {
		if !isKnown[e.Address] {
			p.Entries = append(p.Entries, e)
		}
	}
}
