package injector

import (
	"cmp"
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/sidecarset"
)

// placement returns where a container is injected, with SidecarSet's default.
func placement(c sidecarset.Container, byDefault v1alpha1.PodInjectPolicy) v1alpha1.Placement {
	return v1alpha1.Placement{PodInjectPolicy: cmp.Or(c.PodInjectPolicy, byDefault)}
}

// fromApp returns what a container of a SidecarSet takes over from containers of the app.
func fromApp(c sidecarset.Container) v1alpha1.FromApp {
	from := v1alpha1.FromApp{
		ShareVolumePolicy:       sharePolicy(&c.ShareVolumePolicy),
		ShareVolumeDevicePolicy: sharePolicy(c.ShareVolumeDevicePolicy),
		ResourcesPolicy:         c.ResourcesPolicy,
	}
	for _, transfer := range c.TransferEnv {
		from.TransferEnv = append(from.TransferEnv, transferEnv(transfer))
	}
	return from
}

func sharePolicy(policy *sidecarset.SharePolicy) *v1alpha1.ShareVolumePolicy {
	if policy == nil || policy.Type != v1alpha1.ShareEnabled {
		return nil
	}
	return &v1alpha1.ShareVolumePolicy{Type: v1alpha1.ShareEnabled}
}

// transferEnv adds envName to envNames, and prefers a fieldRef to a name, as OpenKruise does.
func transferEnv(t v1alpha1.TransferEnv) v1alpha1.TransferEnv {
	t.EnvName, t.EnvNames = "", envNames(t)
	if from := t.SourceContainerNameFrom; from != nil && from.FieldRef != nil {
		t.SourceContainerName = ""
	} else {
		t.SourceContainerNameFrom = nil
	}
	return t
}

// envNames returns the names of the variables that are transferred, or nil.
func envNames(t v1alpha1.TransferEnv) []string {
	names := append([]string(nil), t.EnvNames...)
	if t.EnvName != "" && !slices.Contains(names, t.EnvName) {
		names = append(names, t.EnvName)
	}
	return names
}

// asOpenKruise makes a built container take over what OpenKruise would let it.
func (c *Container) asOpenKruise() {
	c.TransferEnv = slices.DeleteFunc(c.TransferEnv, func(t v1alpha1.TransferEnv) bool { return len(t.EnvNames) == 0 })
	if c.Resources != nil {
		c.Resources.AsOpenKruise = true
	}
}
