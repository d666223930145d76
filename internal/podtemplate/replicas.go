package podtemplate

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// Replicas is how many pods a workload makes from a template at a time. The number stands
// beside the template, whatever the kind. Where it does not, and the kind has no default, as
// with a DaemonSet, nobody can tell from the manifest. A Job never runs more pods than it still
// has to complete.
func (k Kind) Replicas(workload *yaml.Node, t Template) (n int, known bool) {
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

// count reads a number of pods. What is not one, the API server refuses.
func count(n *yaml.Node, field string) (int, bool) {
	value, ok := node.Int(n, field)
	return value, ok && value >= 0
}
