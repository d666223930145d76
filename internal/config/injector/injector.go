// Package injector makes injectors of configs. [Read] takes the forms of a config, decodes each, checks it, sets
// defaults, and builds an [Injector], which is ready to apply. [Injector.Plan] turns one into data: operations on a pod,
// in order. [Injector.Conditions] are what a pod must meet.
//
// For a pod with variables or overrides, [Injector.ValuesFor] fills these in, and checks again what they change.
package injector

import (
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/config/schema"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Injector is one SidecarInjector, ready to apply. Its spec is typed and has its defaults. Its payload stays
// as nodes, because encoding typed values would drop fields that the types do not have.
type Injector struct {
	Name string
	Spec v1alpha1.SidecarInjectorSpec

	Kind   string // SidecarSet, if it was written as one; else empty
	Paused bool   // it changes nothing

	Containers       []Container
	InitContainers   []Container
	Volumes          []Entry
	ImagePullSecrets []Entry
	AppContainers    []AppContainers
	PodMetadata      []PodMetadata
	PodSpec          *node.Node // nil if there is none

	// Literal means that ${...} in the payload is not a variable.
	Literal bool

	declared declaration // from which an injector for a single pod is built
}

// Entry is an entry of a payload list that has a name: a volume or an imagePullSecret. Its body goes into pods as it
// is, so it must not be changed.
type Entry struct {
	Name string
	Body *node.Node
}

// Container is a container of the payload. Its settings are not part of its body.
type Container struct {
	Entry
	v1alpha1.Placement
	v1alpha1.FromApp
	v1alpha1.Overriding
	NativeBody *node.Node    // the body as a native sidecar; nil for an init container
	Mode       v1alpha1.Mode // Auto only where that depends on the pod; empty for an init container
	Resources  *Resources    // computes resources from the app's; nil if there is no resourcesPolicy
}

// AppContainers is what the payload adds to containers of the app, as nodes.
type AppContainers struct {
	Names       []string // "*" means all
	IncludeInit bool
	EnvPosition v1alpha1.EnvPosition

	Env, EnvFrom, VolumeMounts []*node.Node

	Joins map[*node.Node]Join // of the entries of Env that are joined to a value of the app
}

// Join is how the value of a variable is joined to that of the app.
type Join struct {
	Separator string
	Before    bool // whether it goes before the app's
}

// Includes reports whether it is for the container of the app with this name.
func (a *AppContainers) Includes(name string) bool {
	return slices.Contains(a.Names, v1alpha1.AllContainers) || slices.Contains(a.Names, name)
}

// PodMetadata is labels and annotations for the pod template, as mappings.
type PodMetadata struct {
	Labels, Annotations *node.Node
	Policy              v1alpha1.PatchPolicy
}

// IsForeign reports whether the config is of another tool's kind, which has neither spec.namespaces nor spec.expect nor
// spec.report.
func (i *Injector) IsForeign() bool { return i.Kind != "" }

// SupportsNative reports whether the cluster has native sidecars, as clusters without a known version do.
func (i *Injector) SupportsNative() bool {
	return schema.IsAtLeast(i.Spec.KubernetesVersion, schema.FirstNative)
}

// IsNative reports whether a sidecar becomes a native one: because of its mode, or because the pod is meant to finish.
func (i *Injector) IsNative(c Container, finishes bool) bool {
	return c.Mode == v1alpha1.ModeNative ||
		c.Mode == v1alpha1.ModeAuto && finishes && i.Spec.Jobs != v1alpha1.JobsInject && i.SupportsNative()
}

// Has reports whether a container or init container of the payload has the name.
func (i *Injector) Has(name string) bool { return i.Container(name) != nil }

// Container returns the container or init container of the payload with this name, or nil.
func (i *Injector) Container(name string) *Container {
	for _, list := range [...][]Container{i.Containers, i.InitContainers} {
		for n := range list {
			if list[n].Name == name {
				return &list[n]
			}
		}
	}
	return nil
}

// At returns the path of a field of the spec in its config.
func (i *Injector) At(field string) string {
	return i.declared.Positions.Of(schema.InSpec(field)).String()
}

// PathOf returns the path in the config of a field of the spec, such as containers[0].before. What is a path already, a
// flag or the kind stays as it is.
func (i *Injector) PathOf(field string) string {
	name := field[:strings.IndexAny(field+".", ".[")]
	isPath := strings.HasPrefix(field, strings.TrimSuffix(i.At("x"), "x"))
	if isPath || name == "kind" || strings.HasPrefix(name, "-") {
		return field
	}
	return i.declared.Positions.Of(schema.InSpec(name) + schema.Path(field[len(name):])).String()
}

// Variables returns the paths of the payload that hold variables, sorted.
func (i *Injector) Variables() []string {
	var paths []string
	for _, text := range i.declared.variables {
		if text.Varies() {
			paths = append(paths, text.Path)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// With returns the injector with changed settings. The payload must stay as it is.
func (i *Injector) With(change func(*v1alpha1.SidecarInjectorSpec)) *Injector {
	other := *i
	change(&other.Spec)
	change(&other.declared.spec)
	return &other
}

// Version returns the cluster's version, or 0, 0 if it is not known.
func (i *Injector) Version() (major, minor int) {
	major, minor, _ = schema.ParseVersion(i.Spec.KubernetesVersion)
	return major, minor
}
