package engine

import (
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/check"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/podtemplate"
)

// checkWhole holds a pod after a change against the pod before.
func (w *workload) checkWhole(which int, before, after podtemplate.Template) []Finding {
	said := check.Whole(before, after, check.Workload{Kind: w.kind, Claims: podtemplate.ClaimTemplates(w.original)})
	in := w.run.injectors[which]
	if level := in.Spec.Checks.PodSecurity; level != "" {
		major, minor := in.Version()
		said = append(said, check.PodSecurity(before, after, level, major, minor)...)
	}
	return said
}

// checkContainers checks the injectors' containers as they are in the end, with what a person changed in them.
func (p *pod) checkContainers() {
	after := p.candidate.Template.In(p.work.changed)
	for _, m := range p.made {
		in := p.work.run.injectors[m.which]
		said := check.Required(after, m.has, in.Spec.Checks)
		for _, asked := range p.work.run.webhooks[m.which] {
			if m.has(asked.Container) {
				said = append(said, asked.Twice(after, p.work.run.around.Namespaces[p.work.object.Namespace], p.work.run.around.NamespaceAnnotations[p.work.object.Namespace])...)
			}
		}
		for _, f := range said {
			f.Injector = in.Name
			p.work.say(f)
		}
	}
}

// webhooksOf are the webhooks whose sidecars an injector brings, each once.
func webhooksOf(in *injector.Injector) []check.Asked {
	var all []check.Asked
	for _, c := range in.Spec.Containers {
		all = append(all, check.WebhooksOf(c.Name, c.Image)...)
	}
	for _, c := range in.Spec.InitContainers {
		all = append(all, check.WebhooksOf(c.Name, c.Image)...)
	}
	var each []check.Asked
	for _, asked := range all {
		if !slices.ContainsFunc(each, func(a check.Asked) bool { return a.Owner == asked.Owner }) {
			each = append(each, asked)
		}
	}
	return each
}

// sayOnce drops warnings about an injector's own container that were said already about
// another workload: the payload is the same, and so is what there is to do.
type sayOnce map[string]bool

func (s sayOnce) filter(said []Finding) []Finding {
	if !slices.ContainsFunc(said, isAboutPayload) {
		return said
	}
	return slices.DeleteFunc(slices.Clone(said), func(f Finding) bool {
		if !isAboutPayload(f) {
			return false
		}
		key := f.Injector + "\x00" + f.Message
		again := s[key]
		s[key] = true
		return again
	})
}

func isAboutPayload(f Finding) bool {
	return f.Severity == Warning && (f.Code == finding.NoResources || f.Code == finding.NoDigest)
}
