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
	name, list string, body *node.Node, keepsPorts bool,
) (settled *node.Node, kept []lateWarning) {
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
		owner, path, same, taken := portOwner(p, seen, name, port)
		switch {
		case taken == nil:
			free = append(free, port)
		case keepsPorts:
			at := owner.Child("ports").Child(pod.PortKey(taken))
			kept = append(kept, func(_, file *stamp.View) []finding.Finding {
				return []finding.Finding{newKept(finding.PortConflict, p.At(file.FieldOf(at, "")), taken, port,
					"port %s of container %q is left out, because port %s of container %q has the same %s "+
						"(spec.onConflict.port: Keep), %s; change one of them",
					describePort(port), name, describePort(taken), owner.Key, same, mayNotWork)}
			})
		default:
			f := p.report(finding.Error, finding.PortConflict, path,
				"port %s of container %q has the same %s as one of container %q; "+
					"change it, or set spec.onConflict.port to Keep to leave it out",
				describePort(port), name, same, owner.Key)
			f.Field.Proposed = node.Brief(port)
			if p.hasOthers() && indexOfName(p.entries(stamp.AddressOf(owner.Path).Key), owner.Key) < 0 {
				f.Message += p.causedByOthers()
			}
		}
	}
	return withPorts(body, ports, free), kept
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

// portOwner returns another of the containers, which are by their lists, with a port that clashes, the path of that
// port, what the two have in common, and the port.
func portOwner(
	p *Pod, seen map[string][]*node.Node, except string, port *node.Node,
) (owner stamp.Address, path, same string, taken *node.Node) {
	for _, list := range pod.ContainerLists {
		for _, container := range seen[list] {
			owner := stamp.InSpec(list, node.Text(container, "name"))
			if owner.Key == except || !pod.Runs(list, container) {
				continue
			}
			ports := node.List(container, "ports")
			if !p.Room.Charge(len(ports) * meter.PerPort) {
				break
			}
			for j, taken := range ports {
				if same := pod.PortsClash(port, taken); same != "" {
					return owner, fmt.Sprintf("%s.ports[%d]", p.seenAt(list, container), j), same, taken
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
