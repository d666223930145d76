package apirules

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// Valid holds containers that break no rule by themselves, and the list for which that is so. They must not change any more, like
// those of a payload that goes into thousands of pods.
type Valid map[*yaml.Node]string

// Add adds a container of a list, unless it breaks a rule.
func (v Valid) Add(body *yaml.Node, list string) {
	p := &checkedPod{Template: podtemplate.Template{Node: node.Mapping()}}
	p.checkContainer(newContainer(body, list))
	if len(p.violations) == 0 {
		v[body] = list
	}
}
