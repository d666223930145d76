package podtemplate

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/node"
)

// Replicas is how many pods a workload makes from a template at a time. The number stands
// beside the template, whatever the kind. Where it does not, and the kind has no default, as
// with a DaemonSet, nobody can tell from the manifest.
func (k Kind) Replicas(workload *yaml.Node, t Template) (n int, known bool) {
	if t.Path == "" {
		return 1, k.One
	}
	holder := t.Path[:max(0, strings.LastIndexByte(t.Path, '.'))]
	beside := see(workload, holder)
	for _, field := range []string{"replicas", "parallelism"} {
		if n, err := strconv.ParseUint(node.Text(beside, field), 10, 31); err == nil {
			return int(n), true
		}
	}
	return 1, k.One
}
