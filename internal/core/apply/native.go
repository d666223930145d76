package apply

import (
	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// becomesNative reports whether a sidecar becomes a native one in this pod: an init container with restartPolicy
// Always, which Kubernetes ends when the app's containers have ended.
func (p *Pod) becomesNative(op injector.Operation) bool {
	path := p.At("spec." + containers)
	mode := op.Container.Mode
	switch {
	case p.Kind.Knative && mode == v1alpha1.ModeNative:
		p.report(finding.Info, finding.KnativeLimits, path,
			"Knative does not support native sidecars; container %q is added as a plain one", op.Key)
	case p.Kind.Plain && mode == v1alpha1.ModeNative:
		p.report(finding.Info, finding.KindLimits, path,
			"%s does not support native sidecars; container %q is added as a plain one", p.Kind.Kind, op.Key)
	case p.Kind.Knative, p.Kind.Plain:
	case p.plan.IsNative(*op.Container, p.Finishes):
		return true
	case !p.Finishes:
	case mode == v1alpha1.ModeContainer || p.plan.Spec.Jobs == v1alpha1.JobsInject:
		p.report(finding.Warning, finding.JobNeverEnds, path,
			"container %q keeps running, so this pod never finishes; %s", op.Key, nativeRemedy(p.plan.Injector))
	default:
		p.report(finding.Error, finding.NativeUnsupported, path,
			"container %q would keep this pod from finishing, and Kubernetes %s has no native sidecars (1.29 has); "+
				"set spec.jobs to Skip or Inject", op.Key, p.plan.Spec.KubernetesVersion)
	}
	return false
}

// nativeRemedy returns what to do about a plain sidecar in a pod that is meant to finish.
func nativeRemedy(in *injector.Injector) string {
	switch {
	case !in.SupportsNative():
		return "set spec.jobs to Skip to keep the sidecar out"
	case in.IsForeign():
		return "declare it under initContainers with restartPolicy: Always to make it a native sidecar"
	case in.Spec.Jobs == v1alpha1.JobsInject:
		return "remove spec.jobs, or set it to Skip"
	default:
		return "remove mode: Container, or set spec.jobs to Skip"
	}
}

// checkReadiness reports a readiness probe without a startup probe: the containers after a native sidecar wait for its
// startup probe, never for its readiness.
func (p *Pod) checkReadiness(op injector.Operation) {
	if node.Get(op.Value, "readinessProbe") != nil && node.Get(op.Value, "startupProbe") == nil {
		p.report(finding.Warning, finding.NativeReadiness, p.At("spec."+initContainers),
			"native sidecar %q has a readinessProbe and no startupProbe, "+
				"so the containers after it start without waiting for it; add a startupProbe", op.Key)
	}
}

// checkKnative reports what Knative's own validation refuses: ports of containers other than the one that serves, and
// init containers, unless its operator has enabled them.
func (p *Pod) checkKnative() {
	if !p.Kind.Knative {
		return
	}
	for _, op := range p.plan.In("containers") {
		if len(node.List(op.Value, "ports")) > 0 {
			p.report(finding.Error, finding.KnativeLimits, p.At("spec."+containers),
				"Knative lets only the serving container declare ports, and container %q declares some; "+
					"remove them, or exclude Knative by spec.rules", op.Key)
		}
	}
	if count := len(p.plan.In("initContainers")); count > 0 {
		p.report(finding.Error, finding.KnativeLimits, p.At("spec."+initContainers),
			"Knative allows no init containers unless a feature flag is set, and the injector has %d; "+
				"exclude Knative by spec.rules", count)
	}
}
