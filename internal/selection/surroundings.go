package selection

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/yaml/node"
)

// Surroundings is what the rest of the stream says about workloads.
type Surroundings struct {
	// Namespaces are the labels of the Namespaces in the stream.
	Namespaces map[string]map[string]string
	// NamespaceAnnotations are their annotations.
	NamespaceAnnotations map[string]map[string]string
	// Initializers are the rules of the InitializerConfigurations in the stream, by initializer.
	Initializers map[string][]v1alpha1.Rule
}

// Informs reports whether Observe reads objects of this kind.
func Informs(apiVersion, kind string) bool {
	return apiVersion == "v1" && kind == "Namespace" ||
		strings.HasPrefix(apiVersion, initializerGroup) && kind == "InitializerConfiguration"
}

// Observe adds what an object says. Informs must hold for its kind.
func (s *Surroundings) Observe(object *yaml.Node) error {
	if node.Text(object, "kind") == "InitializerConfiguration" {
		return s.observeInitializers(object)
	}
	if s.Namespaces == nil {
		s.Namespaces, s.NamespaceAnnotations = map[string]map[string]string{}, map[string]map[string]string{}
	}
	name := node.Text(object, "metadata", "name")
	s.Namespaces[name], s.NamespaceAnnotations[name] = node.Map(object, "metadata", "labels"), node.Map(object, "metadata", "annotations")
	return nil
}

// observeInitializers reads the rules of initializers. An initializer without rules is for nothing, as it was in the cluster.
func (s *Surroundings) observeInitializers(object *yaml.Node) error {
	if s.Initializers == nil {
		s.Initializers = map[string][]v1alpha1.Rule{}
	}
	initializers, err := list(object, "initializers")
	if err != nil {
		return err
	}
	for _, initializer := range initializers {
		name := node.Text(initializer, "name")
		rules, err := list(initializer, "rules")
		if err != nil {
			return err
		}
		if s.Initializers[name] == nil {
			s.Initializers[name] = []v1alpha1.Rule{}
		}
		for _, rule := range rules {
			s.Initializers[name] = append(s.Initializers[name], v1alpha1.Rule{
				APIGroups:   texts(rule, "apiGroups"),
				APIVersions: texts(rule, "apiVersions"),
				Resources:   resources(rule),
			})
		}
	}
	return nil
}

func list(n *yaml.Node, key string) ([]*yaml.Node, error) {
	if value := node.Get(n, key); !node.IsNull(value) && value.Kind != yaml.SequenceNode {
		return nil, fmt.Errorf("%s must be a list, but is %s", key, node.Describe(value))
	}
	return node.List(n, key), nil
}

func texts(n *yaml.Node, key string) []string {
	entries := node.List(n, key)
	values := make([]string, len(entries))
	for i, entry := range entries {
		values[i] = entry.Value
	}
	return values
}

// resources returns the resources of a rule without the wildcard for subresources, as in */*: manifests have none.
func resources(rule *yaml.Node) []string {
	values := texts(rule, "resources")
	for i, value := range values {
		values[i] = strings.TrimSuffix(value, "/*")
	}
	return values
}
