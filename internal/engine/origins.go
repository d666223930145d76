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
func (p *pod) pristine() *yaml.Node { return p.Template.In(p.bareVersion().object).Node }

// originsFor is what the injectors of the run bring to a pod, and what those of other runs have
// brought. Where names hold variables, that differs from pod to pod.
func (p *pod) originsFor(subject injector.Subject) *transformers.Origins {
	origins, payloads := p.origins, p.injectors
	if p.varies {
		payloads = payloadsFor(p.injectors, subject)
	}
	if origins == nil || p.varies {
		origins = transformers.NewOrigins(payloads...)
	}
	if len(p.others) == 0 {
		return origins
	}
	var goingIn []transformers.Injector
	for _, which := range p.inject {
		goingIn = append(goingIn, payloads[which])
	}
	return origins.With(p.addedByOtherRuns(), goingIn...)
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

// addedByOtherRuns is what the stamps of other runs tell.
func (p *pod) addedByOtherRuns() transformers.OtherRuns {
	all := transformers.OtherRuns{Containers: map[string]string{}}
	view := stamp.NewView(p.Template.Node)
	for _, other := range p.others {
		for _, path := range sortedKeys(other.Added) { // a forged stamp may name one container twice
			for _, key := range sortedKeys(other.Added[path]) {
				switch at := strings.Split(path, "/"); {
				case path == "spec/containers", path == "spec/initContainers":
					all.Containers[key] = other.Added[path][key].Place
				case path == "spec/volumes":
					all.Volumes = append(all.Volumes, key)
				case len(at) == 4 && (at[1] == "containers" || at[1] == "initContainers"):
					if entry := view.At(path, key); entry != nil && entry.Kind == yaml.MappingNode {
						all.Entries = append(all.Entries, transformers.AppEntry{List: at[1], Container: at[2], Entry: entry})
					}
				}
			}
		}
	}
	return all
}
