package injector

import (
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/schema"
	"pillion.dev/pillion/internal/sidecarset"
	"pillion.dev/pillion/internal/yaml/node"
)

// readSidecarSet makes an injector of OpenKruise's SidecarSet, which does to a manifest what
// the SidecarSet does to a pod that is created from it.
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
	in := ready(d.problems, declaration{
		name: set.shell.Metadata.Name, nameAt: "metadata.name",
		fields: withoutSidecarSetKnobs(node.Get(config, "spec")), spec: set.injectorSpec(),
		at: specAt, literal: true,
	})
	if finding.HasError(d.findings) {
		return nil
	}
	set.sayWhatOthersDo(node.Get(config, "spec"))
	set.arrange(in)
	return []*Injector{in}
}

func specAt(field string) path { return path("spec").key(field) }

// sidecarSet is a SidecarSet on its way to becoming a declaration.
type sidecarSet struct {
	*decoder
	shell     sidecarset.Shell
	spec      sidecarset.Spec
	namespace string // of v1alpha1
}

// injectorSpec is the SidecarSet in Pillion's own words. What the two do differently without
// being told is told here: a SidecarSet knows no namespaces that are left alone, takes
// the place of a container of the same name, shares a volume of the same name whatever is in
// it, and makes no native sidecar of a plain one.
func (s sidecarSet) injectorSpec() v1alpha1.SidecarInjectorSpec {
	spec := v1alpha1.SidecarInjectorSpec{
		Selector:          s.spec.Selector,
		NamespaceSelector: s.spec.NamespaceSelector,
		Namespaces:        &v1alpha1.Namespaces{Exclude: []string{}},
		Volumes:           s.spec.Volumes,
		ImagePullSecrets:  s.spec.ImagePullSecrets,
		OnConflict:        v1alpha1.OnConflict{Container: v1alpha1.ContainerReplace, Volume: v1alpha1.ConflictKeep},
	}
	if s.namespace != "" {
		spec.Namespaces.Include, spec.NamespaceSelector = []string{s.namespace}, nil
	}
	for _, patch := range s.spec.PatchPodMetadata {
		spec.PatchPodMetadata = append(spec.PatchPodMetadata, v1alpha1.PodMetadataPatch{
			Annotations: patch.Annotations, PatchPolicy: v1alpha1.PatchPolicy(patch.PatchPolicy),
		})
	}
	for _, c := range s.spec.Containers {
		spec.Containers = append(spec.Containers, v1alpha1.Container{
			Container: c.Container, Placement: placed(c, v1alpha1.BeforeAppContainer), Mode: v1alpha1.ModeContainer, FromApp: fromAppOf(c),
		})
	}
	for _, c := range s.spec.InitContainers {
		spec.InitContainers = append(spec.InitContainers, v1alpha1.InitContainer{
			Container: c.Container, Placement: placed(c, v1alpha1.AfterAppContainer), FromApp: fromAppOf(c),
		})
	}
	return spec
}

// placed says on which side a container goes, since SidecarSet's defaults are not Pillion's.
func placed(c sidecarset.Container, otherwise v1alpha1.PodInjectPolicy) v1alpha1.Placement {
	if c.PodInjectPolicy != "" {
		return v1alpha1.Placement{PodInjectPolicy: c.PodInjectPolicy}
	}
	return v1alpha1.Placement{PodInjectPolicy: otherwise}
}

// arrange puts a checked injector in SidecarSet's order: init containers by their names, and
// only those volumes that a container of the SidecarSet mounts.
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
	used := s.volumesInUse()
	in.Volumes = slices.DeleteFunc(in.Volumes, func(v Entry) bool { return !used[v.Name] })
	in.Spec.Volumes = slices.DeleteFunc(in.Spec.Volumes, func(v corev1.Volume) bool { return !used[v.Name] })
}

// volumesInUse names the volumes that the SidecarSet's own containers mount.
func (s sidecarSet) volumesInUse() map[string]bool {
	used := map[string]bool{}
	for _, list := range [][]sidecarset.Container{s.spec.Containers, s.spec.InitContainers} {
		for i := range list {
			for _, mount := range list[i].VolumeMounts {
				used[mount.Name] = true
			}
			for _, device := range list[i].VolumeDevices {
				used[device.Name] = true
			}
		}
	}
	return used
}

// withoutSidecarSetKnobs is a spec whose containers have no fields but Kubernetes' own.
func withoutSidecarSetKnobs(spec *yaml.Node) *yaml.Node {
	knobs := map[string]bool{}
	for _, field := range schema.Fields(reflect.TypeFor[sidecarset.Knobs]()) {
		knobs[field.Name] = true
	}
	fields := node.Fresh(spec)
	for _, list := range []string{"containers", "initContainers"} {
		for _, entry := range node.List(fields, list) {
			for _, key := range node.Keys(entry) {
				if knobs[key] {
					node.Delete(entry, key)
				}
			}
		}
	}
	return fields
}
