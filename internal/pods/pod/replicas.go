package pod

import (
	"strings"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// Replicas returns how many pods a workload creates from a template at a time. The number is beside the template in
// every kind. It is not known if it is missing and the kind has no default, such as a DaemonSet. A Job never runs more
// pods than it has to complete.
func (k Kind) Replicas(workload *node.Node, t Template) (n int, known bool) {
	if t.Path == "" {
		return 1, k.One
	}
	holder := t.Path[:max(0, strings.LastIndexByte(t.Path, '.'))]
	beside := see(workload, holder)
	if n, ok := count(beside, "replicas"); ok {
		return n, true
	}
	n, known = count(beside, "parallelism")
	if !known {
		n, known = 1, k.One
	}
	if completions, ok := count(beside, "completions"); ok {
		n = min(n, completions)
	}
	return n, known
}

// count returns a number of pods. The API server refuses anything else there.
func count(n *node.Node, field string) (int, bool) {
	value, ok := node.Int(n, field)
	return value, ok && value >= 0
}
