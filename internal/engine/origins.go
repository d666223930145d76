package engine

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/transformers"
)

// pristine is the pod template without what any injector put into it, as far as stamps tell.
func (p *pod) pristine() *yaml.Node { return p.candidate.Template.In(p.work.bareVersion().object).Node }

// broughtTo is what the injectors of the run bring to a pod, and what those of other runs have
// brought. Where names hold variables, that differs from pod to pod.
func (p *pod) broughtTo(subject injector.Subject) *transformers.Brought {
	brought, payloads := p.work.run.brought, p.work.run.injectors
	if p.work.run.varies {
		payloads = payloadsFor(p.work.run.injectors, subject)
	}
	if brought == nil || p.work.run.varies {
		brought = transformers.BroughtBy(payloads...)
	}
	if len(p.plan.others) == 0 {
		return brought
	}
	var goingIn []*injector.Injector
	for _, which := range p.plan.inject {
		goingIn = append(goingIn, payloads[which])
	}
	return brought.And(p.broughtByOthers(), goingIn)
}

// payloadsFor are the injectors as they are for one pod.
func payloadsFor(injectors []*injector.Injector, subject injector.Subject) []*injector.Injector {
	payloads := make([]*injector.Injector, len(injectors))
	for i, in := range injectors {
		payload, met := in.For(subject)
		if finding.HasError(met) {
			payload = in // it is refused when its turn comes
		}
		payloads[i] = payload
	}
	return payloads
}

// broughtByOthers is what the stamps of other runs tell.
func (p *pod) broughtByOthers() transformers.Others {
	all := transformers.Others{Containers: map[string]string{}}
	view := stamp.NewView(p.candidate.Template.Node)
	for _, other := range p.plan.others {
		for _, path := range sortedKeys(other.Added) { // a forged stamp may name one container twice
			for _, key := range sortedKeys(other.Added[path]) {
				switch at := strings.Split(path, "/"); {
				case path == "spec/containers", path == "spec/initContainers":
					all.Containers[key] = other.Added[path][key].Place
				case path == "spec/volumes":
					all.Volumes = append(all.Volumes, key)
				case len(at) == 4 && (at[1] == "containers" || at[1] == "initContainers"):
					if entry := view.At(path, key); entry != nil && entry.Kind == yaml.MappingNode {
						all.Given = append(all.Given, transformers.Given{List: at[1], Container: at[2], Entry: entry})
					}
				}
			}
		}
	}
	return all
}
