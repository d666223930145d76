package selection

import (
	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/yaml/node"
)

func (s *Selection) notPaused(Candidate) Decision {
	switch {
	case s.paused && s.spec.Paused:
		return skip(finding.Paused, "the injector is paused (spec.paused)")
	case s.paused:
		return skip(finding.Paused, "the SidecarSet is paused (spec.injectionStrategy.paused)")
	}
	return inject
}

func (s *Selection) hostNetwork(c Candidate) Decision {
	value := node.Get(c.Template.Spec(), "hostNetwork")
	if node.IsNull(value) {
		return inject
	}
	message := "it is on the host's network"
	switch on, isBool := node.Bool(value); {
	case !isBool: // and may become true before it reaches the cluster
		message = "its hostNetwork is " + node.Describe(value) + ", which is not a boolean"
	case !on:
		return inject
	}
	return byPolicy(s.spec.HostNetwork, finding.HostNetwork, message+", and spec.hostNetwork is "+string(s.spec.HostNetwork))
}

func (s *Selection) helmHooks(c Candidate) Decision {
	hook := node.Text(c.Workload, "metadata", "annotations", "helm.sh/hook")
	if hook == "" {
		return inject
	}
	return byPolicy(s.spec.HelmHooks, finding.HelmHook, "it is a Helm hook ("+hook+"), and spec.helmHooks is "+string(s.spec.HelmHooks))
}

func (s *Selection) jobs(c Candidate) Decision {
	if !c.Finishes() {
		return inject
	}
	const message = "its pods are meant to finish, and spec.jobs is "
	switch s.spec.Jobs {
	case v1alpha1.JobsSkip:
		return skip(finding.JobSkipped, message+"Skip")
	case v1alpha1.JobsError:
		return refuse(finding.JobSkipped, message+"Error")
	default:
		return inject
	}
}

func byPolicy(policy v1alpha1.PodPolicy, code finding.Code, message string) Decision {
	switch policy {
	case v1alpha1.PodSkip:
		return skip(code, "%s", message)
	case v1alpha1.PodError:
		return refuse(code, "%s", message)
	default:
		return inject
	}
}

// Finishes tells whether the pod is meant to end, so that a plain sidecar would keep it alive.
func (c Candidate) Finishes() bool {
	if c.Kind.Finishes {
		return true
	}
	restart := node.Text(c.Template.Spec(), "restartPolicy")
	return restart == "Never" || restart == "OnFailure"
}
