package injector

import (
	"iter"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/jsonfield"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/sidecarset"
	"pillion.dev/pillion/internal/yaml/node"
)

// readSidecarSet makes an injector of OpenKruise's SidecarSet. It does to manifests what
// the SidecarSet does to pods that are created from them.
func readSidecarSet(config *yaml.Node, d *decoder) []*Injector {
	d.injector = d.object.Name
	set := sidecarSet{decoder: d}
	if d.object.APIVersion == sidecarset.Alpha {
		var alpha sidecarset.AlphaSet
		d.decode(config, &alpha, "")
		set.shell, set.spec, set.namespace = alpha.Shell, alpha.Spec.Spec, alpha.Spec.Namespace
	} else {
		var beta sidecarset.BetaSet
		d.decode(config, &beta, "")
		set.shell, set.spec = beta.Shell, beta.Spec.Spec
	}
	set.check()
	fields := node.Get(config, "spec")
	in := build(d.problems, declaration{
		name: set.shell.Metadata.Name, nameAt: "metadata.name", fields: withoutSettings(fields), spec: set.injectorSpec(),
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

// sidecarSet is a decoded SidecarSet.
type sidecarSet struct {
	*decoder
	shell     sidecarset.Shell
	spec      sidecarset.Spec
	namespace string // of v1alpha1
}

// sidecarSetContainer is a container of a SidecarSet, and its path.
type sidecarSetContainer struct {
	*sidecarset.Container
	list string
	at   path
}

// containers returns the containers and then the init containers of the SidecarSet.
func (s sidecarSet) containers() []sidecarSetContainer {
	var all []sidecarSetContainer
	for i := range s.spec.Containers {
		all = append(all, sidecarSetContainer{&s.spec.Containers[i], pod.Main, specAt(pod.Main).index(i)})
	}
	for i := range s.spec.InitContainers {
		all = append(all, sidecarSetContainer{&s.spec.InitContainers[i], pod.Init, specAt(pod.Init).index(i)})
	}
	return all
}

// injectorSpec returns the spec of an injector that does the same. It sets what a SidecarSet does differently
// by default: it replaces a container of the same name, keeps any volume of the same
// name, and makes no native sidecars.
func (s sidecarSet) injectorSpec() v1alpha1.SidecarInjectorSpec {
	spec := v1alpha1.SidecarInjectorSpec{
		Selector:          s.spec.Selector,
		NamespaceSelector: s.spec.NamespaceSelector,
		Namespaces:        &v1alpha1.Namespaces{},
		Volumes:           s.spec.Volumes,
		ImagePullSecrets:  s.spec.ImagePullSecrets,
		OnConflict:        v1alpha1.OnConflict{Container: v1alpha1.ContainerReplace, Volume: v1alpha1.ConflictKeep},
	}
	if s.namespace != "" {
		spec.Namespaces.Include, spec.NamespaceSelector = []string{s.namespace}, nil
	}
	for _, patch := range s.spec.PatchPodMetadata {
		spec.PatchPodMetadata = append(spec.PatchPodMetadata, v1alpha1.PodMetadataPatch{
			Annotations: patch.Annotations, PatchPolicy: patch.PatchPolicy,
		})
	}
	for _, c := range s.spec.Containers {
		spec.Containers = append(spec.Containers, v1alpha1.Container{
			Container: c.Container, Placement: placement(c, v1alpha1.BeforeAppContainer), Mode: v1alpha1.ModeContainer, FromApp: fromApp(c),
		})
	}
	for _, c := range s.spec.InitContainers {
		spec.InitContainers = append(spec.InitContainers, v1alpha1.InitContainer{
			Container: c.Container, Placement: placement(c, v1alpha1.AfterAppContainer), FromApp: fromApp(c),
		})
	}
	return spec
}

// arrange sorts the init containers of a checked injector by their names, and removes volumes that no container
// of the SidecarSet mounts, as OpenKruise does.
func (s sidecarSet) arrange(in *Injector) {
	in.Kind = sidecarset.Kind
	in.Paused = s.spec.InjectionStrategy.Paused
	slices.SortStableFunc(in.InitContainers, func(a, b Container) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(in.Spec.InitContainers, func(a, b v1alpha1.InitContainer) int { return strings.Compare(a.Name, b.Name) })
	for _, list := range [][]Container{in.Containers, in.InitContainers} {
		for i := range list {
			list[i].asOpenKruise()
		}
	}
	used := s.mountedVolumes()
	in.Volumes = slices.DeleteFunc(in.Volumes, func(v Entry) bool { return !used[v.Name] })
	in.Spec.Volumes = slices.DeleteFunc(in.Spec.Volumes, func(v corev1.Volume) bool { return !used[v.Name] })
}

// mountedVolumes returns the names of the volumes that the SidecarSet's own containers mount.
func (s sidecarSet) mountedVolumes() map[string]bool {
	used := map[string]bool{}
	for _, name := range s.volumeUses() {
		used[name] = true
	}
	return used
}

// volumeUses iterates over the mounts and devices of the SidecarSet's containers, with the path and the name of the volume.
func (s sidecarSet) volumeUses() iter.Seq2[path, string] {
	return func(yield func(path, string) bool) {
		for _, c := range s.containers() {
			for i, mount := range c.VolumeMounts {
				if !yield(c.at.key("volumeMounts").index(i).key("name"), mount.Name) {
					return
				}
			}
			for i, device := range c.VolumeDevices {
				if !yield(c.at.key("volumeDevices").index(i).key("name"), device.Name) {
					return
				}
			}
		}
	}
}

// withoutSettings returns a spec in which containers have only Kubernetes' fields.
func withoutSettings(spec *yaml.Node) *yaml.Node {
	fields := node.Fresh(spec)
	for _, entry := range pod.Containers(fields) {
		for _, setting := range jsonfield.Of(reflect.TypeFor[sidecarset.Settings]()) {
			node.Delete(entry, setting.Name)
		}
	}
	return fields
}
