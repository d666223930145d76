package selection

import (
	"slices"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// The names of the Initializer, the first sidecar injection of Kubernetes.
const (
	initializerPrefix = "initializer.kubernetes.io/"
	initializerSuffix = ".initializer.kubernetes.io"
	initializerGroup  = "admissionregistration.k8s.io/"
)

// InitializerName returns the name of an injector in the lists of the classic Initializer.
func InitializerName(injector string) string { return injector + initializerSuffix }

// InitializerAnnotation returns the annotation by which a pod opts in, or out, in the classic way.
func InitializerAnnotation(injector string) string { return initializerPrefix + injector }

// Waits reports whether the workload has a pending request for an injector, as for a classic Initializer, or had one
// before the injector was injected.
func (c *Candidate) Waits(injector string) bool {
	return len(c.pending) > 0 && pendingIndex(c.pending, InitializerName(injector)) >= 0 ||
		slices.Contains(c.Waited, injector)
}

// Pending returns the pending requests of a workload, for reading.
func Pending(workload *node.Node) []*node.Node {
	return node.List(workload, "metadata", "initializers", "pending")
}

func pendingIndex(requests []*node.Node, initializer string) int {
	return slices.IndexFunc(requests, func(entry *node.Node) bool { return node.Text(entry, "name") == initializer })
}

// ClearPending removes an initializer from the list of those that a workload waits for, and parents that become empty,
// as the classic Initializer did after its work. It reports whether the initializer was there.
func ClearPending(workload *node.Node, initializer string) bool {
	at := pendingIndex(Pending(workload), initializer)
	if at < 0 {
		return false
	}
	metadata := node.Own(workload, "metadata")
	initializers := node.Own(metadata, "initializers")
	pending := node.Own(initializers, "pending")
	pending.Content = append(pending.Content[:at:at], pending.Content[at+1:]...)
	if len(pending.Content) == 0 {
		node.Delete(initializers, "pending")
	}
	if len(initializers.Content) == 0 {
		node.Delete(metadata, "initializers")
	}
	return true
}
