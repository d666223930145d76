package selection

import "pillion.dev/pillion/internal/node"

// The names by which the first sidecar injection in Kubernetes, the Initializer, is known.
const (
	initializerPrefix = "initializer.kubernetes.io/"
	initializerSuffix = ".initializer.kubernetes.io"
	initializerGroup  = "admissionregistration.k8s.io/"
)

// InitializerName is the name that the classic objects call an injector by.
func InitializerName(injector string) string { return injector + initializerSuffix }

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
