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
}

// source is where the value of a variable comes from.
type source struct {
	name  string // as it is written, without the key
	keyed bool   // whether a ['key'] follows
	where string // what is missing if there is no value
	field string // its field in the workload, or in the pod template if it is keyed
	value func(s Subject, key string) (string, bool)
}

const podLabels = "pod.labels"

// sources are all variables.
var sources = []source{
	{
		name: "workload.name", where: "the workload has no metadata.name", field: "metadata.name",
		value: func(s Subject, _ string) (string, bool) { return s.Name, s.Name != "" },
	},
	{
		name: "workload.namespace", where: "the workload has no metadata.namespace, and neither -n nor spec.defaultNamespace names one",
		field: "metadata.namespace",
		value: func(s Subject, _ string) (string, bool) { return s.Namespace, s.Namespace != "" },
	},
	{
		name: "workload.kind", where: "the workload has no kind", field: "kind",
		value: func(s Subject, _ string) (string, bool) { return s.Kind, s.Kind != "" },
	},
	{
		name: podLabels, keyed: true, where: "the pod template has no label", field: "metadata.labels",
		value: func(s Subject, key string) (string, bool) { return entry(s.Labels, key) },
	},
	{
		name: "pod.annotations", keyed: true, where: "the pod template has no annotation", field: "metadata.annotations",
		value: func(s Subject, key string) (string, bool) { return entry(s.Annotations, key) },
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
