// Package injector reads configs: a SidecarInjector, a list of them, a classic
// ConfigMap or OpenKruise's SidecarSet becomes injectors that are checked, defaulted and ready to apply.
package injector

import (
	"iter"
	"regexp"
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/yaml/node"
)

// Injector is one SidecarInjector, ready to apply. Its spec is typed, with defaults
// filled in; its payload is what was written, as nodes, because a typed
// re-encoding would drop what it does not know.
type Injector struct {
	Name string
	Spec v1alpha1.SidecarInjectorSpec

	Kind   string // what it was written as, where that is a kind whose spec is not Pillion's
	Paused bool   // it touches nothing

	Names            []*regexp.Regexp // those that the name of a workload may match; none for all
	Containers       []Container
	InitContainers   []Container
	Volumes          []Entry
	ImagePullSecrets []Entry
	AppContainers    []AppContainers
	PodMetadata      []PodMetadata
	PodSpec          *yaml.Node // nil where there is none

	// Literal says that the payload is taken as it stands: ${...} in it is no variable.
	Literal bool

	declared declaration // what it was made from, to be made anew where pods differ
}

// Entry is one keyed piece of the payload: a volume, an imagePullSecret.
type Entry struct {
	Name string
	Body *yaml.Node
}

// Container is a container of the payload with its knobs taken off the body.
type Container struct {
	Entry
	v1alpha1.Placement
	v1alpha1.FromApp
	v1alpha1.Overriding
	Mode      v1alpha1.Mode // empty for an init container
	Resources *Resources    // what computes resources from the app's; nil for what is written
}

// AppContainers is what some of the app's own containers get, as it was written.
type AppContainers struct {
	Names       []string // "*" is all
	IncludeInit bool
	EnvPosition v1alpha1.EnvPosition

	Env, EnvFrom, VolumeMounts []*yaml.Node
}

// For tells whether a container of the app's, by its name, is one of those that get it.
func (a *AppContainers) For(name string) bool {
	return slices.Contains(a.Names, v1alpha1.AllContainers) || slices.Contains(a.Names, name)
}

// PodMetadata is labels and annotations for the pod template: mappings, as they were written.
type PodMetadata struct {
	Labels, Annotations *yaml.Node
	Policy              v1alpha1.PatchPolicy
}

// SupportsNative tells whether the cluster knows native sidecars: since 1.29 they are
// there without asking. A cluster of no known version is taken for the newest.
func (i *Injector) SupportsNative() bool {
	return supportsNative(i.Spec.KubernetesVersion)
}

// IsNative reports whether a sidecar becomes a native one, an init container that always restarts: either because its mode
// says so, or in a pod that is meant to finish.
func (i *Injector) IsNative(c Container, finishes bool) bool {
	return c.Mode == v1alpha1.ModeNative ||
		c.Mode != v1alpha1.ModeContainer && finishes && i.Spec.Jobs != v1alpha1.JobsInject && i.SupportsNative()
}

// Has tells whether a container or init container of the payload has the name.
func (i *Injector) Has(name string) bool { return i.Container(name) != nil }

// Container is the container or init container of the payload by its name, or nil.
func (i *Injector) Container(name string) *Container {
	for _, list := range [][]Container{i.Containers, i.InitContainers} {
		for n := range list {
			if list[n].Name == name {
				return &list[n]
			}
		}
	}
	return nil
}

// MergedAnnotations are the annotations that the injector merges JSON into, as others may, too.
func (i *Injector) MergedAnnotations() []string {
	var keys []string
	for key := range i.MergedJSON() {
		keys = append(keys, key)
	}
	return keys
}

// MergedJSON are the annotations that the injector merges JSON into, each with what it merges.
func (i *Injector) MergedJSON() iter.Seq2[string, string] {
	return func(yield func(annotation, patch string) bool) {
		for _, m := range i.PodMetadata {
			if m.Policy != v1alpha1.PatchMergeJSON {
				continue
			}
			for _, key := range node.Keys(m.Annotations) {
				if !yield(key, node.Text(m.Annotations, key)) {
					return
				}
			}
		}
	}
}

// At is where a field of the spec stands in the config that the injector was read from.
func (i *Injector) At(field string) string { return i.declared.at(field).String() }

// Variables are the places of the payload whose values differ from pod to pod.
func (i *Injector) Variables() []string {
	var places []string
	for _, text := range i.declared.variables {
		if text.Varies() {
			places = append(places, text.at.String())
		}
	}
	slices.Sort(places)
	return places
}
