package transformers

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/node"
)

// position is where in a list a new container goes. Behind the app's is the default, because
// orchestrators copy comments back by index; native sidecars go in front of the app's init
// containers, so that they run while those do.
func position(pod *Pod, in *injector.Injector, c injector.Container, list string, body *yaml.Node) (int, []finding.Finding) {
	entries := pod.entries(list)
	var said []finding.Finding
	if neighbour := c.Before + c.After; neighbour != "" {
		if at := named(entries, neighbour); at >= 0 {
			if c.After != "" {
				at++
			}
			return at, nil
		}
		said = append(said, problem(finding.Info, finding.PositionMissing, pod.At("spec."+list),
			"there is no %q in %s for container %q to stand next to; it goes where podInjectPolicy says", neighbour, list, c.Name))
	}
	if !leads(c.PodInjectPolicy, list, body) {
		return len(entries), said
	}
	// Behind the injector's own that lead already, so that they keep the order of the config.
	at := slices.IndexFunc(entries, func(entry *yaml.Node) bool {
		own := in.Container(node.Text(entry, "name"))
		return own == nil || !leads(own.PodInjectPolicy, list, entry)
	})
	if at < 0 {
		at = len(entries)
	}
	return at, said
}

// leads tells whether a container stands in front of the app's.
func leads(policy v1alpha1.PodInjectPolicy, list string, body *yaml.Node) bool {
	if policy == "" {
		return list == initContainers && node.Text(body, "restartPolicy") == "Always"
	}
	return policy == v1alpha1.BeforeAppContainer
}
