// Package variable replaces variables such as ${workload.name} in strings. It is not a template language: a variable is
// replaced by a value of the workload or its pod template, and nothing is computed.
//
// A string is parsed once, when the config is read, and expanded for each pod.
package variable

import (
	"slices"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// Subject holds the values of variables: those of a workload and one of its pod templates.
type Subject struct {
	Name, Namespace, Kind string
	// Labels and Annotations are mappings of the pod template; nil if it has none.
	Labels, Annotations *node.Node
	// Container holds the values of one of the app's containers. Without any, it has no values.
	Container Container
}

// Container holds the values of a container. A value that it does not have is empty.
type Container struct {
	Name, Image, Port string
	// Lack explains why a variable of the container has no value.
	Lack func(variable string) Lack
}

// Lack is why a variable has no value.
type Lack struct {
	Why    string
	Remedy string // what to do about it, in addition to a default
	Field  string // the field of the workload that lacks it
}

// source describes a variable.
type source struct {
	name  string // as it is written, without the key
	where string // what is missing if there is no value; empty if a container of the app explains that
	field string // its field in the workload, or in the pod template if it is keyed
	most  int    // bytes of a value, so that long values do not multiply
	keyed bool   // whether a ['key'] follows
}

// The longest values of variables, in bytes: the API server's limits, and for annotations and images, which have none
// of their own, one that is far above what people use.
const (
	MaxName       = 253
	MaxLabel      = 63 // also for namespaces, kinds, and names of containers
	MaxAnnotation = 4 << 10
	MaxImage      = 1 << 10
)

// The variables of a workload and its pod template. Labels and annotations have a key.
const (
	WorkloadName      = "workload.name"
	WorkloadNamespace = "workload.namespace"
	WorkloadKind      = "workload.kind"
	PodLabels         = "pod.labels"
	PodAnnotations    = "pod.annotations"
)

// The variables of a container of the app.
const (
	ContainerName  = "container.name"
	ContainerImage = "container.image"
	ContainerPort  = "container.port"
)

// sources are all variables.
var sources = []source{
	{name: WorkloadName, where: "the workload has no metadata.name", field: "metadata.name", most: MaxName},
	{
		name:  WorkloadNamespace,
		where: "the workload has no metadata.namespace, and spec.defaultNamespace names none",
		field: "metadata.namespace", most: MaxLabel,
	},
	{name: WorkloadKind, where: "the workload has no kind", field: "kind", most: MaxLabel},
	{name: PodLabels, where: "the pod template has no label", field: "metadata.labels", most: MaxLabel, keyed: true},
	{name: PodAnnotations, where: "the pod template has no annotation", field: "metadata.annotations", most: MaxAnnotation, keyed: true},
	{name: ContainerName, most: MaxLabel},
	{name: ContainerImage, most: MaxImage},
	{name: ContainerPort, most: MaxLabel},
}

// sourceOf returns the variable of a name. There must be one.
func sourceOf(name string) source {
	return sources[slices.IndexFunc(sources, func(s source) bool { return s.name == name })]
}

// isOfContainer reports whether the variable is one of a container of the app.
func (s source) isOfContainer() bool { return s.where == "" }

// Value returns the value of a variable, and whether there is one.
func (s Subject) Value(name, key string) (value string, ok bool) {
	switch name {
	case WorkloadName:
		value = s.Name
	case WorkloadNamespace:
		value = s.Namespace
	case WorkloadKind:
		value = s.Kind
	case PodLabels:
		return entry(s.Labels, key)
	case PodAnnotations:
		return entry(s.Annotations, key)
	case ContainerName:
		value = s.Container.Name
	case ContainerImage:
		value = s.Container.Image
	case ContainerPort:
		value = s.Container.Port
	}
	return value, value != ""
}

func entry(mapping *node.Node, key string) (string, bool) {
	value := node.Get(mapping, key)
	if node.IsNull(value) || value.Kind != node.ScalarNode {
		return "", false
	}
	return value.Value, true
}

// Names returns the variables as people write them, with KEY for the key of a label or annotation.
func Names() []string {
	names := make([]string, len(sources))
	for i, s := range sources {
		names[i] = s.spelled("KEY")
	}
	return names
}

func (s source) spelled(key string) string {
	if s.keyed {
		return s.name + "['" + key + "']"
	}
	return s.name
}
