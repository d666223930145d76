package selection

import (
	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/yaml/node"
)

func (s *Selection) notPaused(*Candidate) *Decision {
	switch {
	case s.injector.Paused && s.spec.Paused:
		return skip(finding.Paused, "the injector is paused (spec.paused)")
	case s.injector.Paused:
		return skip(finding.Paused, "the SidecarSet is paused (spec.injectionStrategy.paused)")
	}
	return inject
}

func (s *Selection) hostNetwork(c *Candidate) *Decision {
	value := node.Get(c.Template.Spec(), "hostNetwork")
	if node.IsNull(value) {
		return inject
	}
	fact := "it uses the host's network"
	switch on, isBool := node.Bool(value); {
	case !isBool: // it may become true before it reaches the cluster
		fact = "its hostNetwork is " + node.Describe(value) + ", which is not a boolean"
	case !on:
		return inject
	}
	return byPolicy(finding.HostNetwork, fact, "spec.hostNetwork", string(s.spec.HostNetwork), "Inject")
}

func (s *Selection) helmHooks(c *Candidate) *Decision {
	hook := node.Text(c.Workload, "metadata", "annotations", "helm.sh/hook")
	if hook == "" {
		return inject
	}
	return byPolicy(finding.HelmHook, "it is a Helm hook ("+hook+")", "spec.helmHooks", string(s.spec.HelmHooks), "Inject")
}

func (s *Selection) jobs(c *Candidate) *Decision {
	if !c.Finishes() {
		return inject
	}
	injects := v1alpha1.JobsNative
	if !s.injector.SupportsNative() {
		injects = v1alpha1.JobsInject
	}
	return byPolicy(finding.JobSkipped, "its pods are meant to finish", "spec.jobs", string(s.spec.Jobs), string(injects))
}

// byPolicy decides what a field of the config says about a fact: Skip, Error, or something else, which means to inject.
// Injects is the value to propose for that.
func byPolicy(code finding.Code, fact, field, policy, injects string) *Decision {
	switch policy {
	case "Skip":
		return skip(code, "%s, and %s is Skip (%s injects)", fact, field, injects)
	case "Error":
		return refuse(code, "%s, and %s is Error; set it to Skip or %s, or keep this workload out", fact, field, injects)
	default:
		return inject
	}
}
