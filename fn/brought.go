package fn

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/transformers"
)

// pristine is the pod template without what any injector put into it, as far as stamps tell.
func (p *pod) pristine() *yaml.Node { return p.Template.In(p.bareVersion().object).Node }

// broughtTo is what the injectors of the run bring to a pod, and what those of other runs have
// brought. Where names hold variables, that differs from pod to pod.
func (p *pod) broughtTo(subject injector.Subject) *transformers.Brought {
	brought := p.brought
	if brought == nil {
		brought = transformers.BroughtBy(p.injectors...)
	}
	if p.varies {
		payloads := make([]*injector.Injector, len(p.injectors))
		for i, in := range p.injectors {
			payload, met := in.For(subject)
			if finding.HasError(met) {
				payload = in // it is refused when its turn comes
			}
			payloads[i] = payload
		}
		brought = transformers.BroughtBy(payloads...)
	}
	if len(p.others) == 0 {
		return brought
	}
	containers := map[string]string{}
	var volumes []string
	var entries []*yaml.Node
	view := stamp.NewView(p.Template.Node)
	for _, other := range p.others {
		for _, path := range sortedKeys(other.Added) { // a forged stamp may name one container twice
			for key, print := range other.Added[path] {
				switch path {
				case "spec/containers", "spec/initContainers":
					containers[key] = print.Place
				case "spec/volumes":
					volumes = append(volumes, key)
				default:
					if entry := view.At(path, key); entry != nil && entry.Kind == yaml.MappingNode {
						entries = append(entries, entry)
					}
				}
			}
		}
	}
	return brought.And(containers, volumes, entries)
}
