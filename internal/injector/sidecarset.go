package injector

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// readSidecarSet makes an injector of OpenKruise's SidecarSet. It does to manifests what
// the SidecarSet does to pods that are created from them.
func readSidecarSet(config *yaml.Node, d *decoder) []*Injector {
	d.injector = d.object.Name
	set := sidecarSetReader{decoder: d}
	d.decode(config, &set.sidecarSet, "")
	set.check()
	fields := node.Fresh(node.Get(config, "spec"))
	for _, container := range pod.Containers(fields) {
		node.Delete(container, "upgradeStrategy") // the other settings are those of an injector, too
	}
	in := build(d.problems, declaration{
		name: set.Metadata.Name, nameAt: "metadata.name", fields: fields, spec: set.injectorSpec(),
		at: specAt, literal: true,
	})
	if finding.HasError(d.findings) {
		return nil
	}
	set.warnOfUnused(fields)
	set.arrange(in)
	return []*Injector{in}
}

func specAt(field string) path { return path("spec").key(field) }

// sidecarSetReader has a decoded SidecarSet.
type sidecarSetReader struct {
	*decoder
	sidecarSet
}

// locatedContainer is a container of a SidecarSet, and its path.
type locatedContainer struct {
	*sidecarSetContainer
	list string
	at   path
}

// containers returns the containers and then the init containers of the SidecarSet.
func (s sidecarSetReader) containers() []locatedContainer {
	var all []locatedContainer
	for i := range s.Spec.Containers {
		all = append(all, locatedContainer{&s.Spec.Containers[i], pod.Main, specAt(pod.Main).index(i)})
	}
	for i := range s.Spec.InitContainers {
		all = append(all, locatedContainer{&s.Spec.InitContainers[i], pod.Init, specAt(pod.Init).index(i)})
	}
	return all
}

// injectorSpec returns the spec of an injector that does the same. It sets what a SidecarSet does differently
// by default: it replaces a container of the same name, keeps any volume of the same
// name, and makes no native sidecars.
func (s sidecarSetReader) injectorSpec() v1alpha1.SidecarInjectorSpec {
	spec := v1alpha1.SidecarInjectorSpec{
		Selector:          s.Spec.Selector,
		NamespaceSelector: s.Spec.NamespaceSelector,
		Namespaces:        &v1alpha1.Namespaces{},
		Volumes:           s.Spec.Volumes,
		ImagePullSecrets:  s.Spec.ImagePullSecrets,
		OnConflict:        v1alpha1.OnConflict{Container: v1alpha1.ContainerReplace, Volume: v1alpha1.ConflictKeep},
	}
	if s.Spec.Namespace != "" {
		spec.Namespaces.Include, spec.NamespaceSelector = []string{s.Spec.Namespace}, nil
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

// fromApp returns what a container takes over from containers of the app. As in OpenKruise, envName is one of envNames, and a fieldRef
// takes precedence over a name.
func (c *sidecarSetContainer) fromApp() v1alpha1.FromApp {
	from := v1alpha1.FromApp{
		ShareVolumePolicy:       c.ShareVolumePolicy.ofInjector(),
		ShareVolumeDevicePolicy: c.ShareVolumeDevicePolicy.ofInjector(),
		TransferEnv:             slices.Clone(c.TransferEnv),
		ResourcesPolicy:         c.ResourcesPolicy,
	}
	for i := range from.TransferEnv {
		t := &from.TransferEnv[i]
		t.EnvName, t.EnvNames = "", envNames(*t)
		if t.SourceContainerNameFrom != nil && t.SourceContainerNameFrom.FieldRef != nil {
			t.SourceContainerName = ""
		} else {
			t.SourceContainerNameFrom = nil
		}
	}
	return from
}

func (p *sharePolicy) ofInjector() *v1alpha1.ShareVolumePolicy {
	if p == nil || p.Type != v1alpha1.ShareEnabled {
		return nil
	}
	return &v1alpha1.ShareVolumePolicy{Type: v1alpha1.ShareEnabled}
}

// envNames returns the names of the variables that are transferred, or nil.
func envNames(t v1alpha1.TransferEnv) []string {
	if t.EnvName == "" || slices.Contains(t.EnvNames, t.EnvName) {
		return t.EnvNames
	}
	return append(slices.Clone(t.EnvNames), t.EnvName)
}

// arrange sorts the init containers of a checked injector by their names, and removes volumes that no container
// of the SidecarSet mounts and transfers of no variable, as OpenKruise does.
func (s sidecarSetReader) arrange(in *Injector) {
	in.Kind = sidecarSetKind
	in.Paused = s.Spec.InjectionStrategy.Paused
	slices.SortStableFunc(in.InitContainers, func(a, b Container) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(in.Spec.InitContainers, func(a, b v1alpha1.InitContainer) int { return strings.Compare(a.Name, b.Name) })
	for _, list := range [][]Container{in.Containers, in.InitContainers} {
		for i := range list {
			c := &list[i]
			c.TransferEnv = slices.DeleteFunc(c.TransferEnv, func(t v1alpha1.TransferEnv) bool { return len(t.EnvNames) == 0 })
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
func (s sidecarSetReader) usedVolumes() map[string][]path {
	used := map[string][]path{}
	for _, c := range s.containers() {
		for i, mount := range c.VolumeMounts {
			used[mount.Name] = append(used[mount.Name], c.at.key("volumeMounts").index(i))
		}
		for i, device := range c.VolumeDevices {
			used[device.Name] = append(used[device.Name], c.at.key("volumeDevices").index(i))
		}
	}
	return used
}
