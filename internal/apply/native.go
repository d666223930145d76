package apply

import (
	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/yaml/node"
)

// becomesNative reports whether a sidecar becomes a native one in this pod: an init container with restartPolicy Always, which
// Kubernetes ends when the app's containers have ended.
func becomesNative(pod *Pod, sidecar injector.Container) (bool, []finding.Finding) {
	path := pod.At("spec." + containers)
	switch {
	case pod.Knative && sidecar.Mode == v1alpha1.ModeNative:
		return false, []finding.Finding{newFinding(finding.Info, finding.KnativeLimits, path,
			"Knative does not support native sidecars; container %q is added as a plain one", sidecar.Name)}
	case pod.Knative:
		return false, nil
	case pod.payload.IsNative(sidecar, pod.Finishes):
		return true, checkReadiness(pod, sidecar)
	case !pod.Finishes:
		return false, nil
	case sidecar.Mode == v1alpha1.ModeContainer || pod.payload.Spec.Jobs == v1alpha1.JobsInject:
		return false, []finding.Finding{newFinding(finding.Warning, finding.JobNeverEnds, path,
			"container %q keeps running, so this pod never finishes; %s", sidecar.Name, nativeRemedy(pod.payload))}
	default:
		return false, []finding.Finding{newFinding(finding.Error, finding.NativeUnsupported, path,
			"container %q would keep this pod from finishing, and Kubernetes %s has no native sidecars (1.29 has); "+
				"set spec.jobs to Skip or Inject",
			sidecar.Name, pod.payload.Spec.KubernetesVersion)}
	}
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

// checkReadiness reports a readiness probe without a startup probe: the containers after a native sidecar wait for its startup
// probe, never for its readiness.
func checkReadiness(pod *Pod, sidecar injector.Container) []finding.Finding {
	if node.Get(sidecar.Body, "readinessProbe") == nil || node.Get(sidecar.Body, "startupProbe") != nil {
		return nil
	}
	return []finding.Finding{newFinding(finding.Warning, finding.NativeReadiness, pod.At("spec."+initContainers),
		"native sidecar %q has a readinessProbe and no startupProbe, so the containers after it start without waiting for it; "+
			"add a startupProbe", sidecar.Name)}
}
