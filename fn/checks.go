package fn

import (
	"slices"

	"pillion.dev/pillion/internal/check"
	"pillion.dev/pillion/internal/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/transformers"
)

// check holds a pod with an injector's payload in it against the pod before.
func (w *workload) check(which int, before podtemplate.Template, pod *transformers.Pod) []Finding {
	in := w.injectors[which]
	var said []Finding
	if len(pod.Changes()) > 0 {
		said = check.Whole(before, pod.Template, check.Workload{Kind: w.kind, Claims: pod.ClaimTemplates})
		if level := in.Spec.Checks.PodSecurity; level != "" {
			major, minor := in.Version()
			said = append(said, check.PodSecurity(before, pod.Template, level, major, minor)...)
		}
	}
	said = append(said, check.Required(pod.Template, pod.Has, in.Spec.Checks)...)
	for _, asked := range w.webhooks[which] {
		if pod.Has(asked.Container) {
			said = append(said, asked.Twice(pod.Template, w.around.Namespaces[w.object.Namespace], w.around.NamespaceAnnotations[w.object.Namespace])...)
		}
	}
	return said
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
