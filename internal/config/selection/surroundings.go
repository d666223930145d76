package selection

import (
	"k8s.io/apimachinery/pkg/labels"

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
	// Injectors are the names of the run's injectors.
	Injectors map[string]bool
}

// Namespace is what a Namespace in the stream says about the workloads in it.
type Namespace struct {
	Labels      labels.Set // as they are in a cluster
	Annotations map[string]string
	// File is the file that it was read from, if it is known.
	File string
}

// InformingKind is the kind of the objects that Observe reads.
const InformingKind = "Namespace"

// Informs reports whether Observe reads objects of this kind.
func Informs(apiVersion, kind string) bool { return apiVersion == "v1" && kind == InformingKind }

// Observe adds what a Namespace says, which was read from a file. A Namespace of a typed list may not repeat its kind.
func (s *Surroundings) Observe(object *node.Node, file string) {
	s.observeNamespace(readNamespace(object, file))
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
