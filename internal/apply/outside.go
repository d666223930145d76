package apply

import (
	"maps"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/transformers"
)

// transform runs the transformers of other programs. The containers that they add count as the injector's.
func (p *Pod) transform(all []transformers.Transformer) {
	if len(all) == 0 {
		return
	}
	present, reserved := p.containerNames(), p.reservedMetadata()
	for _, transform := range all {
		if p.findings = append(p.findings, transform(&p.Pod)...); finding.HasError(p.findings) {
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
	p.checkReserved(reserved)
}

func (p *Pod) containerNames() map[string]bool {
	names := namesOf(p.entries(containers))
	maps.Copy(names, namesOf(p.entries(initContainers)))
	return names
}

// reservedMetadata returns the labels and annotations that transformers must not change, by field and key: those of Pillion, by
// which a later run would decide differently, and the labels by which a workload finds its pods.
func (p *Pod) reservedMetadata() map[[2]string]string {
	reserved := map[[2]string]string{}
	for _, field := range []string{labels, annotations} {
		for key, value := range node.Map(node.Get(p.Node, "metadata", field)) {
			isSelector := field == labels && slices.Contains(p.SelectorLabels, key)
			if isSelector || key == p.plan.Spec.Marker || strings.HasPrefix(key, v1alpha1.Group+"/") {
				reserved[[2]string{field, key}] = value
			}
		}
	}
	return reserved
}

func (p *Pod) checkReserved(before map[[2]string]string) {
	first := len(p.findings)
	after := p.reservedMetadata()
	all := maps.Clone(before)
	maps.Copy(all, after)
	for at := range all {
		was, wasThere := before[at]
		if is, isThere := after[at]; was == is && wasThere == isThere {
			continue
		}
		field, key := at[0], at[1]
		f := p.report(finding.Error, finding.InvalidItem, p.At("metadata."+field+"."+key),
			"a transformer changes %s in the %s, by which Pillion decides about the pod; set it in the manifest", key, field)
		if field == labels && slices.Contains(p.SelectorLabels, key) {
			f.Code = finding.SelectorLabel
			f.Message = "a transformer changes the label " + key + ", which the workload's selector uses; leave the label as it is"
		}
	}
	slices.SortFunc(p.findings[first:], func(a, b finding.Finding) int { return strings.Compare(a.Field.Path, b.Field.Path) })
}
