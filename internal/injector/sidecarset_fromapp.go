package injector

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/sidecarset"
)

// fromAppOf is what a container of a SidecarSet takes over from the app's, in Pillion's words.
func fromAppOf(c sidecarset.Container) v1alpha1.FromApp {
	from := v1alpha1.FromApp{
		ShareVolumePolicy:       shareOf(&c.ShareVolumePolicy),
		ShareVolumeDevicePolicy: shareOf(c.ShareVolumeDevicePolicy),
		ResourcesPolicy:         resourcesPolicyOf(c.ResourcesPolicy),
	}
	for _, transfer := range c.TransferEnv {
		from.TransferEnv = append(from.TransferEnv, transferOf(transfer))
	}
	return from
}

func shareOf(policy *sidecarset.SharePolicy) *v1alpha1.ShareVolumePolicy {
	if policy == nil || policy.Type != sidecarset.ShareEnabled {
		return nil
	}
	return &v1alpha1.ShareVolumePolicy{Type: v1alpha1.ShareEnabled}
}

// transferOf takes envName and envNames together, and lets a fieldRef stand before a name, as
// OpenKruise does.
func transferOf(t sidecarset.TransferEnv) v1alpha1.TransferEnv {
	transfer := v1alpha1.TransferEnv{SourceContainerName: t.SourceContainerName}
	if names := namesOf(t); len(names) > 0 {
		transfer.EnvNames = names
	}
	if from := t.SourceContainerNameFrom; from != nil && from.FieldRef != nil {
		transfer.SourceContainerName = ""
		transfer.SourceContainerNameFrom = &v1alpha1.SourceContainerNameFrom{FieldRef: from.FieldRef}
	}
	return transfer
}

func namesOf(t sidecarset.TransferEnv) []string {
	names := slices.Clone(t.EnvNames)
	if t.EnvName != "" && !slices.Contains(names, t.EnvName) {
		names = append(names, t.EnvName)
	}
	return names
}

func resourcesPolicyOf(p *sidecarset.ResourcesPolicy) *v1alpha1.ResourcesPolicy {
	if p == nil {
		return nil
	}
	policy := &v1alpha1.ResourcesPolicy{
		TargetContainersMode:      v1alpha1.TargetContainersMode(p.TargetContainersMode),
		TargetContainersNameRegex: p.TargetContainersNameRegex,
	}
	if limits := p.ResourcesExpr.Limits; limits != nil {
		policy.ResourcesExpr.Limits = &v1alpha1.ComputeExpr{CPU: limits.CPU, Memory: limits.Memory}
	}
	if requests := p.ResourcesExpr.Requests; requests != nil {
		policy.ResourcesExpr.Requests = &v1alpha1.ComputeExpr{CPU: requests.CPU, Memory: requests.Memory}
	}
	return policy
}

// checkFromApp checks what OpenKruise asks beyond what every injector is asked.
func (s sidecarSet) checkFromApp(list string, containers []sidecarset.Container) {
	for i := range containers {
		c, at := &containers[i], specAt(list).index(i).key("resourcesPolicy")
		if c.ResourcesPolicy == nil {
			continue
		}
		if c.ResourcesPolicy.TargetContainersMode == "" {
			s.require(at.key("targetContainersMode"), "a resourcesPolicy needs a targetContainersMode; write sum or max")
		}
		if len(c.Resources.Limits)+len(c.Resources.Requests) > 0 {
			s.refusef(at, "", "resources and resourcesPolicy cannot both be given; keep one")
			s.malformed = append(s.malformed, at) // and once is enough
		}
		if list == "initContainers" && (c.RestartPolicy == nil || *c.RestartPolicy != corev1.ContainerRestartPolicyAlways) {
			s.refusef(at, "", "only an init container with restartPolicy: Always can have a resourcesPolicy; write that, or remove it")
		}
	}
}

// sayNothingTransferred tells of transfers that name no variable. OpenKruise takes none then.
func (s sidecarSet) sayNothingTransferred(list string, containers []sidecarset.Container) {
	for i := range containers {
		for j, transfer := range containers[i].TransferEnv {
			if len(namesOf(transfer)) == 0 {
				s.warn(problem{at: specAt(list).index(i).key("transferEnv").index(j), message: "it names no variable, so none is transferred; add envNames"})
			}
		}
	}
}

// asOpenKruise makes a container that was read take over what OpenKruise would let it.
func (c *Container) asOpenKruise() {
	c.TransferEnv = slices.DeleteFunc(c.TransferEnv, func(t v1alpha1.TransferEnv) bool { return len(t.EnvNames) == 0 })
	if c.Resources != nil {
		c.Resources.AsOpenKruise = true
	}
}
