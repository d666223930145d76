package injector

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// readSidecarSet makes an injector of OpenKruise's SidecarSet. It does to manifests what
// the SidecarSet does to pods that are created from them.
func readSidecarSet(config *node.Node, d *decoder) []*Injector {
	d.injector = d.object.Name
	var set sidecarSet
	d.decode(config, &set, "")
	fields := node.Fresh(node.Get(config, "spec"))
	for _, container := range pod.Containers(fields) {
		node.Delete(container, "upgradeStrategy") // the other settings are those of an injector, too
	}
	declared := declaration{
		name: set.Metadata.Name, nameAt: "metadata.name", fields: fields, spec: set.injectorSpec(), literal: true,
		at: func(field string) path { return path("spec").key(field) },
	}
	c := sidecarSetChecker{checker{d.problems, declared}, set}
	c.check()
	in := build(d.problems, declared)
	if finding.HasError(d.findings) {
		return nil
	}
	c.warnOfUnused()
	c.arrange(in)
	return []*Injector{in}
}

// injectorSpec returns the spec of an injector that does the same. It sets what a SidecarSet does differently
// by default: it replaces a container of the same name, keeps any volume of the same
// name, and makes no native sidecars.
func (s sidecarSet) injectorSpec() v1alpha1.SidecarInjectorSpec {
	spec := v1alpha1.SidecarInjectorSpec{
		Selector:          s.Spec.Selector,
		NamespaceSelector: s.Spec.NamespaceSelector,
		Namespaces:        &v1alpha1.Namespaces{},
		Volumes:           s.Spec.Volumes,
		ImagePullSecrets:  s.Spec.ImagePullSecrets,
		OnConflict:        v1alpha1.OnConflict{Container: v1alpha1.ContainerReplace, Volume: v1alpha1.ConflictKeep},
	}
	if s.Spec.Namespace != "" {
		spec.Namespaces.Include = []string{s.Spec.Namespace}
		spec.NamespaceSelector = nil
	}
	for _, patch := range s.Spec.PatchPodMetadata {
		spec.PatchPodMetadata = append(spec.PatchPodMetadata, v1alpha1.PodMetadataPatch{
			Annotations: patch.Annotations, PatchPolicy: patch.PatchPolicy,
		})
	}
	for _, c := range s.Spec.Containers {
		placement := v1alpha1.Placement{PodInjectPolicy: cmp.Or(c.PodInjectPolicy, v1alpha1.BeforeAppContainer)}
		spec.Containers = append(spec.Containers, v1alpha1.Container{
			Container: c.Container, Placement: placement, Mode: v1alpha1.ModeContainer, FromApp: c.fromApp(),
		})
	}
	for _, c := range s.Spec.InitContainers {
		placement := v1alpha1.Placement{PodInjectPolicy: cmp.Or(c.PodInjectPolicy, v1alpha1.AfterAppContainer)}
		spec.InitContainers = append(spec.InitContainers, v1alpha1.InitContainer{
			Container: c.Container, Placement: placement, FromApp: c.fromApp(),
		})
	}
	return spec
}

// fromApp returns what a container takes over from containers of the app. As in OpenKruise, envName is one of envNames,
// and a fieldRef takes precedence over a name.
func (c *sidecarSetContainer) fromApp() v1alpha1.FromApp {
	from := v1alpha1.FromApp{
		ShareVolumePolicy:       c.ShareVolumePolicy.ofInjector(),
		ShareVolumeDevicePolicy: c.ShareVolumeDevicePolicy.ofInjector(),
		TransferEnv:             slices.Clone(c.TransferEnv),
		ResourcesPolicy:         c.ResourcesPolicy.ofInjector(),
	}
	for i := range from.TransferEnv {
		t := &from.TransferEnv[i]
		if t.EnvName != "" && !slices.Contains(t.EnvNames, t.EnvName) {
			t.EnvNames = append(slices.Clone(t.EnvNames), t.EnvName)
		}
		t.EnvName = ""
		if t.SourceContainerNameFrom != nil && t.SourceContainerNameFrom.FieldRef != nil {
			t.SourceContainerName = ""
		} else {
			t.SourceContainerNameFrom = nil
		}
	}
	return from
}

func (p *sharePolicy) ofInjector() *v1alpha1.ShareVolumePolicy {
	if p == nil || p.Type != shareEnabled {
		return nil
	}
	return &v1alpha1.ShareVolumePolicy{Type: v1alpha1.ShareEnabled}
}

func (p *resourcesPolicy) ofInjector() *v1alpha1.ResourcesPolicy {
	if p == nil {
		return nil
	}
	modes := map[targetContainersMode]v1alpha1.TargetContainersMode{
		targetContainersSum: v1alpha1.TargetContainersSum, targetContainersMax: v1alpha1.TargetContainersMax,
	}
	return &v1alpha1.ResourcesPolicy{
		TargetContainersMode:      modes[p.TargetContainersMode],
		TargetContainersNameRegex: p.TargetContainersNameRegex,
		ResourcesExpr:             p.ResourcesExpr,
	}
}

// arrange sorts the init containers of a checked injector by their names, and removes volumes that no container
// of the SidecarSet mounts and transfers of no variable, as OpenKruise does.
func (s sidecarSetChecker) arrange(in *Injector) {
	in.Kind = sidecarSetKind
	in.Paused = s.Spec.InjectionStrategy.Paused
	slices.SortStableFunc(in.InitContainers, func(a, b Container) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(in.Spec.InitContainers,
		func(a, b v1alpha1.InitContainer) int { return strings.Compare(a.Name, b.Name) })
	for _, list := range [][]Container{in.Containers, in.InitContainers} {
		for i := range list {
			c := &list[i]
			c.TransferEnv = slices.DeleteFunc(c.TransferEnv,
				func(t v1alpha1.TransferEnv) bool { return len(t.EnvNames) == 0 })
			if c.Resources != nil {
				c.Resources.AsOpenKruise = true
			}
		}
	}
	used := s.usedVolumes()
	in.Volumes = slices.DeleteFunc(in.Volumes, func(v Entry) bool { return used[v.Name] == nil })
	in.Spec.Volumes = slices.DeleteFunc(in.Spec.Volumes, func(v corev1.Volume) bool { return used[v.Name] == nil })
}

// usedVolumes maps the names of volumes to the paths of the mounts and devices of the SidecarSet's own containers.
func (s sidecarSetChecker) usedVolumes() map[string][]path {
	used := map[string][]path{}
	for _, c := range s.containers() {
		for i, mount := range c.VolumeMounts {
			used[mount.Name] = append(used[mount.Name], s.pathOf(c).key("volumeMounts").index(i))
		}
		for i, device := range c.VolumeDevices {
			used[device.Name] = append(used[device.Name], s.pathOf(c).key("volumeDevices").index(i))
		}
	}
	return used
}
