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
func position(list []*yaml.Node, in *injector.Injector, c injector.Container, name string, body *yaml.Node) (int, []finding.Finding) {
	var said []finding.Finding
	if neighbour := c.Before + c.After; neighbour != "" {
		if at := named(list, neighbour); at >= 0 {
			if c.After != "" {
				at++
			}
			return at, nil
		}
		said = append(said, problem(finding.Info, finding.PositionMissing, "",
			"there is no %q in %s for container %q to stand next to; it goes where podInjectPolicy says", neighbour, name, c.Name))
	}
	policy := c.PodInjectPolicy
	if policy == "" && name == initContainers && node.Text(body, "restartPolicy") == "Always" {
		policy = v1alpha1.BeforeAppContainer
	}
	if policy == v1alpha1.BeforeAppContainer {
		return inFront(list, in), said
	}
	return len(list), said
}

// inFront is behind the injector's own containers that lead the list, so that several of them
// keep the order of the config, and in front of everything else.
func inFront(list []*yaml.Node, in *injector.Injector) int {
	at := slices.IndexFunc(list, func(entry *yaml.Node) bool {
		return !slices.ContainsFunc(slices.Concat(in.Containers, in.InitContainers), func(c injector.Container) bool {
			return c.Name == node.Text(entry, "name")
		})
	})
	if at < 0 {
		return len(list)
	}
	return at
}
