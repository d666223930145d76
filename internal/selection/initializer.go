package selection

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/node"
)

// The names by which the first sidecar injection in Kubernetes, the Initializer, is known.
const (
	initializerPrefix = "initializer.kubernetes.io/"
	initializerSuffix = ".initializer.kubernetes.io"
	initializerGroup  = "admissionregistration.k8s.io/"
)

// InitializerName is the name that the classic objects call an injector by.
func InitializerName(injector string) string { return injector + initializerSuffix }

// Surroundings is what the rest of the stream tells about a workload.
type Surroundings struct {
	// Namespaces are the labels of the Namespaces in the stream.
	Namespaces map[string]map[string]string
	// Initializers are the rules of the InitializerConfigurations in the stream, by initializer.
	Initializers map[string][]v1alpha1.Rule
}

// Informs tells whether objects of this kind have something to say to Observe.
func Informs(apiVersion, kind string) bool {
	return apiVersion == "v1" && kind == "Namespace" ||
		strings.HasPrefix(apiVersion, initializerGroup) && kind == "InitializerConfiguration"
}

// Observe takes in an object whose kind Informs.
func (s *Surroundings) Observe(object *yaml.Node) {
	if node.Text(object, "kind") == "Namespace" {
		if s.Namespaces == nil {
			s.Namespaces = map[string]map[string]string{}
		}
		s.Namespaces[node.Text(object, "metadata", "name")] = node.Map(object, "metadata", "labels")
		return
	}
	if s.Initializers == nil {
		s.Initializers = map[string][]v1alpha1.Rule{}
	}
	for _, initializer := range node.List(object, "initializers") {
		name := node.Text(initializer, "name")
		for _, rule := range node.List(initializer, "rules") {
			s.Initializers[name] = append(s.Initializers[name], v1alpha1.Rule{
				APIGroups:   texts(rule, "apiGroups"),
				APIVersions: texts(rule, "apiVersions"),
				Resources:   texts(rule, "resources"),
			})
		}
	}
}

func texts(n *yaml.Node, key string) []string {
	var values []string
	for _, entry := range node.List(n, key) {
		values = append(values, entry.Value)
	}
	return values
}

// pending tells whether the workload waits for this injector by the classic's own list.
func (s *Selection) pending(c Candidate) bool {
	initializer := InitializerName(s.name)
	for _, entry := range node.List(c.Workload, "metadata", "initializers", "pending") {
		if node.Text(entry, "name") == initializer {
			return true
		}
	}
	return false
}
