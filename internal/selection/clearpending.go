package selection

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// ClearPending removes an initializer from the list of those that a workload waits for, as the classic Initializer did when its
// work was done, and parents that become empty. It reports whether the initializer was there.
func ClearPending(workload *yaml.Node, initializer string) bool {
	at := slices.IndexFunc(node.List(workload, "metadata", "initializers", "pending"), func(entry *yaml.Node) bool {
		return node.Text(entry, "name") == initializer
	})
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
