package v1alpha1

import "slices"

// Default sets what was left out. A podInjectPolicy stays empty, because its default depends on
// what the container becomes in the pod.
func (s *SidecarInjectorSpec) Default() {
	setDefault(&s.Action, Inject)
	setDefault(&s.OnDrift, DriftOverwrite)
	setDefault(&s.SelectorScope, ScopePodTemplate)
	setDefault(&s.Marker, DefaultMarker)
	setDefault(&s.Policy, PolicyEnabled)
	setDefault(&s.Jobs, JobsNative)
	setDefault(&s.HostNetwork, PodInject)
	setDefault(&s.HelmHooks, PodInject)
	setDefault(&s.HelmReleases, ReleasesReport)
	setDefault(&s.Report, ReportWarning)
	if s.Namespaces == nil {
		s.Namespaces = &Namespaces{}
	}
	s.OnConflict.Default()
	s.Checks.Default()
	for i := range s.Containers {
		s.Containers[i].Default()
	}
	for i := range s.InitContainers {
		s.InitContainers[i].Default()
	}
	for i := range s.AppContainers {
		s.AppContainers[i].Default()
	}
	for i := range s.PatchPodMetadata {
		s.PatchPodMetadata[i].Default()
	}
}

// ReservedNamespaces returns Kubernetes' own namespaces, except those that are included by their full names. They are
// left alone, whatever the patterns in Include and Exclude match.
func (n *Namespaces) ReservedNamespaces() []string {
	reserved := []string{"kube-system", "kube-public", "kube-node-lease"}
	return slices.DeleteFunc(reserved, func(name string) bool { return slices.Contains(n.Include, name) })
}

// Default makes every conflict an error, except for env, where the app's value stays.
func (c *OnConflict) Default() {
	setDefault(&c.Container, ContainerError)
	setDefault(&c.Volume, ConflictError)
	setDefault(&c.Env, ConflictKeep)
	setDefault(&c.MountPath, ConflictError)
	setDefault(&c.Port, PortError)
}

// Default sets mode Auto, and what the container gets from the app.
func (c *Container) Default() {
	setDefault(&c.Mode, ModeAuto)
	c.FromApp.Default()
}

// Default sets what the container gets from the app.
func (c *InitContainer) Default() { c.FromApp.Default() }

// Default completes the policies that are set. Without a policy, the container gets nothing.
func (f *FromApp) Default() {
	for _, policy := range []*ShareVolumePolicy{f.ShareVolumePolicy, f.ShareVolumeDevicePolicy} {
		if policy != nil {
			policy.Default()
		}
	}
	if f.ResourcesPolicy != nil {
		f.ResourcesPolicy.Default()
	}
}

// Default shares nothing, as in a SidecarSet.
func (p *ShareVolumePolicy) Default() { setDefault(&p.Type, ShareDisabled) }

// Default adds up the app's containers.
func (p *ResourcesPolicy) Default() { setDefault(&p.TargetContainersMode, TargetContainersSum) }

func setDefault[T ~string](field *T, value T) {
	if *field == "" {
		*field = value
	}
}
