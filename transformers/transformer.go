package transformers

import (
	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/apply"
)

// Transformer changes a pod template in a way that a config cannot express, and returns the problems that it finds. It
// is to a pod template what a Unix filter is to a stream, and never sees bytes, files or flags. Func makes one of a
// function:
//
//	func team(pod *transformers.Pod) []finding.Finding {
//		return pod.Set("payments", "metadata", "labels", "team")
//	}
//
//	sidecars = sidecars.After(transformers.Func(team))
//
// What it changes is recorded in the stamp of the injector, so that a later run recognises it, updates it and removes
// it, without any code in the transformer.
//
// If a finding is an error, the run writes nothing, neither to this workload nor to any other. Findings may have any
// Code, also one of the program's own; their Injector is set, and so are Object and File if they are nil. A nil
// Transformer does nothing. If a Transformer panics, Apply panics.
//
// A Transformer is called for each pod template and each injector that selects it, for several pod templates at the
// same time, and more than once for some of them. It must not keep state, and must do the same each time. It sees the
// pod template without what this injector added in earlier runs.
//
// It may add anything to what the app has, and may replace whole labels, annotations, containers, volumes, variables,
// mounts and devices. The stamp restores nothing else: a run that replaces another field of the app fails, and what is
// deleted or moved does not come back.
//
// The entries of Get("spec", "containers") are the containers of the pod. Those of the app are the ones whose names are
// not in Injector.Spec.Containers, unless other injectors have added some.
type Transformer interface {
	Transform(pod *Pod) []finding.Finding
}

// Func is a function as a Transformer, as an http.HandlerFunc is one as an http.Handler. A nil Func does nothing.
type Func func(pod *Pod) []finding.Finding

// Transform calls the function.
func (f Func) Transform(pod *Pod) []finding.Finding {
	if f == nil {
		return nil
	}
	return f(pod)
}

// Before returns the injectors with transformers that run before the payload of each injector is added.
func (s Sidecars) Before(steps ...Transformer) Sidecars {
	return Sidecars{s.config.Before(payloadSteps(steps)...)}
}

// After returns the injectors with transformers that run after the payload of each injector was added, and before the
// checks.
func (s Sidecars) After(steps ...Transformer) Sidecars {
	return Sidecars{s.config.After(payloadSteps(steps)...)}
}

// payloadSteps returns transformers as the steps that an injection calls.
func payloadSteps(steps []Transformer) []apply.Transformer {
	var all []apply.Transformer
	for _, step := range steps {
		if step != nil {
			all = append(all, func(p *apply.Pod) []finding.Finding { return step.Transform(newPod(p)) })
		}
	}
	return all
}

// newPod returns the view of a pod that transformers get. They change its template, and nothing else of the injection.
func newPod(p *apply.Pod) *Pod {
	injector := v1alpha1.SidecarInjector{
		Metadata: v1alpha1.Metadata{Name: p.Injector().Name},
		Spec:     p.Injector().Spec,
	}
	return &Pod{Path: p.Path, Object: p.Object, Injector: injector, Finishes: p.Finishes, isBare: p.IsBare, root: p.Node}
}
