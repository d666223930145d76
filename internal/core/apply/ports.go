package apply

import (
	"fmt"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/work/meter"
)

// settlePorts compares a container's ports with those of the pod's other containers, which share one network. A port
// that is taken is an error, or is missing in the body that is returned, with a warning.
func (p *Pod) settlePorts(
	name, list string, body *node.Node, leavesPorts bool,
) (settled *node.Node, warnings []lateWarning) {
	ports := node.Get(body, "ports")
	if ports == nil || ports.Kind != node.SequenceNode || !pod.Runs(list, body) {
		return body, nil
	}
	seen := map[string][]*node.Node{
		containers:     p.seenContainers(containers),
		initContainers: p.seenContainers(initContainers),
	}
	var free []*node.Node
	for _, port := range ports.Content {
		holder, path, same, taken := clashingPort(p, seen, name, port)
		switch {
		case taken == nil:
			free = append(free, port)
		case leavesPorts:
			at := holder.Child("ports").Child(pod.PortKey(taken))
			warnings = append(warnings, func(_, file *stamp.View) []finding.Finding {
				return []finding.Finding{newWarning(finding.PortConflict, p.At(file.FieldOf(at, "")), taken, port,
					"port %s of container %q is left out, because port %s of container %q has the same %s "+
						"(spec.onConflict.port: Keep), %s; change one of them",
					describePort(port), name, describePort(taken), holder.Key, same, mayNotWork)}
			})
		default:
			f := p.report(finding.Error, finding.PortConflict, path,
				"port %s of container %q has the same %s as one of container %q; "+
					"change it, or set spec.onConflict.port to Keep to leave it out",
				describePort(port), name, same, holder.Key)
			f.Field.Proposed = node.Brief(port)
			if indexOfName(p.entries(stamp.AddressOf(holder.Path).Key), holder.Key) < 0 {
				f.Message += p.causedByOthers()
			}
		}
	}
	return withPorts(body, ports, free), warnings
}

// withPorts returns a container with only those of its ports that are free.
func withPorts(body, ports *node.Node, free []*node.Node) *node.Node {
	if len(free) == len(ports.Content) {
		return body
	}
	body = node.Clone(body)
	if len(free) == 0 {
		node.Delete(body, "ports")
	} else {
		node.Own(body, "ports").Content = free
	}
	return body
}

// clashingPort returns another of the containers, which are by their lists, with a port that clashes, the path of that
// port, what the two have in common, and the port.
func clashingPort(
	p *Pod, seen map[string][]*node.Node, except string, port *node.Node,
) (holder stamp.Address, path, same string, taken *node.Node) {
	for _, list := range pod.ContainerLists {
		for i, container := range seen[list] {
			holder := stamp.InSpec(list, node.Text(container, "name"))
			if holder.Key == except || !pod.Runs(list, container) {
				continue
			}
			ports := node.List(container, "ports")
			if !p.Room.Charge(len(ports) * meter.PerPort) {
				break
			}
			for j, taken := range ports {
				if same := pod.PortsClash(port, taken); same != "" {
					at := pod.Position{List: list, Index: i}
					return holder, p.At(fmt.Sprintf("spec.%s.ports[%d]", at, j)), same, taken
				}
			}
		}
	}
	return stamp.Address{}, "", "", nil
}

// describePort returns a port for messages: 8080/TCP (http).
func describePort(port *node.Node) string {
	key := pod.PortKey(port)
	if name := node.Text(port, "name"); name != "" {
		return key + " (" + name + ")"
	}
	return key
}
