package podtemplate

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/node"
)

// Own is the same template inside a copy of its workload, safe to change in place: what
// aliases and merge keys brought in on the way there is written out.
func (t Template) Own(workload *yaml.Node) Template {
	at := workload
	for step := range strings.SplitSeq(t.Path, ".") {
		if step == "" {
			continue
		}
		name, index, isEntry := strings.Cut(strings.TrimSuffix(step, "]"), "[")
		at = node.Own(at, name)
		if isEntry {
			i, _ := strconv.Atoi(index) // walk wrote it
			at = node.OwnEntry(at, i)
		}
	}
	node.Own(at, "spec")
	return Template{Path: t.Path, Node: at}
}
