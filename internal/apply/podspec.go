package apply

import (
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

// setPodSpec sets other fields of the pod spec that the pod does not set.
func setPodSpec(p *Pod) []finding.Finding {
	path := p.At("spec")
	for _, field := range node.Keys(p.payload.PodSpec) {
		row, at := pod.InSpec(field), stamp.Thing{Path: "spec", Key: field}
		if synonym := row.Synonym; synonym != "" && !node.IsNull(node.Get(p.Spec(), synonym)) {
			p.keepSynonym(synonym, field)
			continue
		}
		// On a copy first, because owning a field that is an alias writes it out.
		tried := merger{pod: p, grows: true}
		tried.fillField(node.Clone(p.Spec()), p.payload.PodSpec, path, at, row)
		if tried.changed {
			actual := merger{pod: p, grows: true}
			actual.fillField(p.Spec(), p.payload.PodSpec, path, at, row)
		}
		p.keepPodSpec(tried.fields)
		tried.giveTo(p)
	}
	if restart := node.Text(p.Spec(), "restartPolicy"); restart == "Never" || restart == "OnFailure" {
		p.Finishes = true // as a second run sees it
	}
	return nil
}
