package selection

import (
	"slices"

	"pillion.dev/pillion/internal/yaml/node"
)

// The names by which the first sidecar injection in Kubernetes, the Initializer, is known.
const (
	initializerPrefix = "initializer.kubernetes.io/"
	initializerSuffix = ".initializer.kubernetes.io"
	initializerGroup  = "admissionregistration.k8s.io/"
)

// InitializerName is the name that the classic objects call an injector by.
func InitializerName(injector string) string { return injector + initializerSuffix }

// Waits tells whether the workload waits for an injector by the classic's own list, or did when
// that injector went in.
func (c Candidate) Waits(injector string) bool {
	initializer := InitializerName(injector)
	for _, entry := range node.List(c.Workload, "metadata", "initializers", "pending") {
		if node.Text(entry, "name") == initializer {
			return true
		}
	}
	return slices.Contains(c.Waited, injector)
}

// InitializerAnnotation is the annotation by which a pod opts in, or out, in the classic way.
func InitializerAnnotation(injector string) string { return initializerPrefix + injector }
