package fn

import (
	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/apply"
)

// Transformer changes a pod template in a way that a config cannot express, and returns the problems that it finds:
//
//	func team(pod *fn.Pod) []finding.Finding {
//		return pod.Set("payments", "metadata", "labels", "team")
//	}
//
//	config = config.After(team)
//
// It is to a pod template what a Unix filter is to a stream, and never sees bytes, files or flags. What it changes is
// recorded in the stamp of the injector, so that a later run recognises it, updates it and removes it, without any code
// in the transformer.
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
// mounts and devices. The stamp restores nothing else: a run that replaces another field of the app fails, unless
// spec.stamp is None, and what is deleted or moved does not come back.
//
// The entries of Get("spec", "containers") are the containers of the pod. Those of the app are the ones whose names are
// not in Injector.Spec.Containers, unless other injectors have added some.
type Transformer func(pod *Pod) []finding.Finding

// Before returns the config with transformers that run before the payload of each injector is added.
func (c Config) Before(steps ...Transformer) Config {
	return Config{c.engine.Before(engineTransformers(steps)...)}
}

// After returns the config with transformers that run after the payload of each injector was added, and before the
// checks.
func (c Config) After(steps ...Transformer) Config {
	return Config{c.engine.After(engineTransformers(steps)...)}
}

func engineTransformers(steps []Transformer) []apply.Transformer {
	var all []apply.Transformer
	for _, step := range steps {
		if step != nil {
			all = append(all, func(p *apply.Pod) []finding.Finding { return step(newPod(p)) })
		}
	}
	return all
}

// newPod returns the view of a pod that transformers get. They change its template, and no other field of the engine's
// pod.
func newPod(p *apply.Pod) *Pod {
	injector := v1alpha1.SidecarInjector{
		Metadata: v1alpha1.Metadata{Name: p.Injector().Name},
		Spec:     p.Injector().Spec,
	}
	return &Pod{Path: p.Path, Object: p.Object, Injector: injector, Finishes: p.Finishes, isBare: p.IsBare, root: p.Node}
}
