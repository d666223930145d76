package selection

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Surroundings is what the rest of the stream says about workloads.
type Surroundings struct {
	// Namespaces are the Namespaces in the stream, by name: the first one, if there are several of one name.
	Namespaces map[string]Namespace
	// Duplicates are the further Namespaces of each name.
	Duplicates map[string][]Namespace
	// Repeated are the files of the Namespaces with a repeated key, by each name that they may have.
	Repeated map[string]string
	// Initializers are the rules of the InitializerConfigurations in the stream, by initializer.
	Initializers map[string][]v1alpha1.Rule
	ruleEntries  int // of all rules
	// Injectors are the names of the run's injectors.
	Injectors map[string]bool
}

// maxRuleEntries bounds the rules of InitializerConfigurations, because each workload of the stream is compared with
// all of them. A rule counts as one entry more than its lists have.
const maxRuleEntries = 1000

// Namespace is what a Namespace in the stream says about the workloads in it.
type Namespace struct {
	Labels      labels.Set // as they are in a cluster
	Annotations map[string]string
	// File is the file that it was read from, if it is known.
	File string
}

// InformingKinds returns the kinds of the objects that Observe reads.
func InformingKinds() []string { return []string{"Namespace", "InitializerConfiguration"} }

// Informs reports whether Observe reads objects of this kind.
func Informs(apiVersion, kind string) bool {
	return apiVersion == "v1" && kind == "Namespace" ||
		strings.HasPrefix(apiVersion, initializerGroup) && kind == "InitializerConfiguration"
}

// Observe adds what an object of a kind says, which was read from a file. Informs must hold for the kind. An object of
// a typed list may not repeat it.
func (s *Surroundings) Observe(kind string, object *node.Node, file string) error {
	if kind == "InitializerConfiguration" {
		return s.observeInitializers(object)
	}
	s.observeNamespace(readNamespace(object, file))
	return nil
}

// ObserveRepeated adds what a Namespace with a repeated key says. Readers do not agree on which of the values counts,
// and so on its labels and even on its name.
func (s *Surroundings) ObserveRepeated(object *node.Node, file string) {
	s.observeNamespace(readNamespace(object, file))
	if s.Repeated == nil {
		s.Repeated = map[string]string{}
	}
	for _, metadata := range valuesOf(object, "metadata") {
		for _, name := range valuesOf(metadata, "name") {
			s.Repeated[name.Value] = file
		}
	}
	delete(s.Repeated, "") // see observeNamespace
}

// valuesOf returns all values of a key that may be repeated.
func valuesOf(n *node.Node, key string) (values []*node.Node) {
	for i := 1; n.Kind == node.MappingNode && i < len(n.Content); i += 2 {
		if n.Content[i-1].Value == key {
			values = append(values, node.Resolve(n.Content[i]))
		}
	}
	return values
}

func readNamespace(object *node.Node, file string) (name string, read Namespace) {
	name = node.Text(object, "metadata", "name")
	set := node.Map(object, "metadata", "labels")
	annotations := node.Map(object, "metadata", "annotations")
	return name, Namespace{Labels: withName(set, name), Annotations: annotations, File: file}
}

func (s *Surroundings) observeNamespace(name string, namespace Namespace) {
	if name == "" {
		// With generateName, no workload of the stream can be in it; "" is the namespace of workloads that do not name
		// theirs.
		return
	}
	if s.Namespaces == nil {
		s.Namespaces = map[string]Namespace{}
		s.Duplicates = map[string][]Namespace{}
	}
	if _, isDuplicate := s.Namespaces[name]; isDuplicate {
		s.Duplicates[name] = append(s.Duplicates[name], namespace)
		return
	}
	s.Namespaces[name] = namespace
}

// observeInitializers reads the rules of initializers. An initializer without rules is for nothing, as it was in the
// cluster.
func (s *Surroundings) observeInitializers(object *node.Node) error {
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
			r := v1alpha1.Rule{
				APIGroups:   texts(rule, "apiGroups"),
				APIVersions: texts(rule, "apiVersions"),
				Resources:   texts(rule, "resources"),
			}
			for i, resource := range r.Resources {
				// The wildcard for subresources: manifests have none.
				r.Resources[i] = strings.TrimSuffix(resource, "/*")
			}
			s.ruleEntries += 1 + len(r.APIGroups) + len(r.APIVersions) + len(r.Resources)
			if s.ruleEntries > maxRuleEntries {
				return fmt.Errorf("the rules of the InitializerConfigurations have more than %d entries; "+
					"merge rules, or use *", maxRuleEntries)
			}
			s.Initializers[name] = append(s.Initializers[name], r)
		}
	}
	return nil
}

func list(n *node.Node, key string) ([]*node.Node, error) {
	if value := node.Get(n, key); !node.IsNull(value) && value.Kind != node.SequenceNode {
		return nil, fmt.Errorf("%s must be a list, but is %s", key, node.Describe(value))
	}
	return node.List(n, key), nil
}

func texts(n *node.Node, key string) []string {
	entries := node.List(n, key)
	values := make([]string, len(entries))
	for i, entry := range entries {
		values[i] = entry.Value
	}
	return values
}
