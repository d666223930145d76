// Package variable replaces variables such as ${workload.name} in strings. It is not a template language: a variable is
// replaced by a value of the workload or its pod template, and nothing is computed.
//
// A string is parsed once, when the config is read, and expanded for each pod.
package variable

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// Subject holds the values of variables: those of a workload and one of its pod templates.
type Subject struct {
	Name, Namespace, Kind string
	// Labels and Annotations are mappings of the pod template; nil if it has none.
	Labels, Annotations *yaml.Node
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

// source is where the value of a variable comes from.
type source struct {
	name  string // as it is written, without the key
	keyed bool   // whether a ['key'] follows
	isApp bool   // whether it depends on a container of the app, which explains what is missing
	where string // what is missing if there is no value
	field string // its field in the workload, or in the pod template if it is keyed
	most  int    // bytes of a value, so that long values do not multiply
	value func(s Subject, key string) (string, bool)
}

// The longest values of variables, in bytes: the API server's limits, and for annotations and images, which have none of their own, one
// that is far above what people use.
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
	{
		name: WorkloadName, where: "the workload has no metadata.name", field: "metadata.name", most: MaxName,
		value: func(s Subject, _ string) (string, bool) { return s.Name, s.Name != "" },
	},
	{
		name: WorkloadNamespace, where: "the workload has no metadata.namespace, and neither -n nor spec.defaultNamespace names one",
		field: "metadata.namespace", most: MaxLabel,
		value: func(s Subject, _ string) (string, bool) { return s.Namespace, s.Namespace != "" },
	},
	{
		name: WorkloadKind, where: "the workload has no kind", field: "kind", most: MaxLabel,
		value: func(s Subject, _ string) (string, bool) { return s.Kind, s.Kind != "" },
	},
	{
		name: PodLabels, keyed: true, where: "the pod template has no label", field: "metadata.labels", most: MaxLabel,
		value: func(s Subject, key string) (string, bool) { return entry(s.Labels, key) },
	},
	{
		name: PodAnnotations, keyed: true, where: "the pod template has no annotation", field: "metadata.annotations", most: MaxAnnotation,
		value: func(s Subject, key string) (string, bool) { return entry(s.Annotations, key) },
	},
	{
		name: ContainerName, isApp: true, most: MaxLabel,
		value: func(s Subject, _ string) (string, bool) { return s.Container.Name, s.Container.Name != "" },
	},
	{
		name: ContainerImage, isApp: true, most: MaxImage,
		value: func(s Subject, _ string) (string, bool) { return s.Container.Image, s.Container.Image != "" },
	},
	{
		name: ContainerPort, isApp: true, most: MaxLabel,
		value: func(s Subject, _ string) (string, bool) { return s.Container.Port, s.Container.Port != "" },
	},
}

func entry(mapping *yaml.Node, key string) (string, bool) {
	value := node.Get(mapping, key)
	if node.IsNull(value) || value.Kind != yaml.ScalarNode {
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
