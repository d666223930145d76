package injector

import (
	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/yaml/node"
)

// checkPodSpec refuses what has a field of its own in the spec.
func (c checker) checkPodSpec() {
	for _, field := range node.Keys(node.Get(c.fields, "podSpec")) {
		if remedy, elsewhere := v1alpha1.NotInPodSpec(field); elsewhere {
			c.refusef(c.at("podSpec").key(field), field, "%s", remedy)
		}
	}
}
