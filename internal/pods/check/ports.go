package check

import (
	"fmt"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// ports reports ports and port names that two containers have while both run, because a pod has one network. Within one
// container, a port may be repeated, but not its name.
func (p *checkedPod) ports() {
	numbers, owners := map[string]string{}, map[string]string{} // the containers of ports, and of port names
	for _, c := range p.containers {
		if !c.runs {
			continue
		}
		for i, port := range node.List(c.Node, "ports") {
			number, name := pod.PortKey(port), node.Text(port, "name")
			if first, taken := numbers[number]; !taken {
				numbers[number] = c.name
			} else if first != c.name {
				p.add(finding.PortConflict, number+" "+c.String(), p.path(c, entry("ports", i)), fmt.Sprintf(
					"port %s of container %q is also a port of container %q; change one of them", number, c.name, first))
			}
			if first, taken := owners[name]; !taken {
				owners[name] = c.name
			} else if name != "" {
				p.add(finding.PortConflict, name+" "+c.String(), p.path(c, entry("ports", i)+".name"), fmt.Sprintf(
					"port name %q of container %q is used by container %q already; rename one of them", name, c.name, first))
			}
		}
	}
}

// hostPorts reports ports of the host that containers take twice. On the host's network, every containerPort is a port
// of the host, and must be its own hostPort. Init containers run one by one.
func (p *checkedPod) hostPorts() {
	onHost := node.IsTrue(p.spec, "hostNetwork")
	all := names{}
	for _, c := range p.containers {
		taken := all
		if c.list == pod.Init {
			taken = names{}
		}
		for i, port := range node.List(c.Node, "ports") {
			number, host := node.Amount(port, "containerPort"), node.Amount(port, "hostPort")
			if host == "0" {
				host = ""
			}
			switch {
			case host == "" && !onHost:
				continue
			case host == "":
				host = number
			case onHost && host != number && c.list == pod.Main:
				p.add(finding.InvalidPod, c.String()+" port "+number, p.path(c, entry("ports", i)+".hostPort"), fmt.Sprintf(
					"port %s of container %q has the hostPort %s, which must be the same in a pod with hostNetwork; remove hostPort or hostNetwork",
					number, c.name, host))
			}
			key := pod.Protocol(port) + "/" + node.Text(port, "hostIP") + "/" + host
			if taken.add(key) {
				p.add(finding.PortConflict, c.String()+" host "+key, p.path(c, entry("ports", i)+".hostPort"), fmt.Sprintf(
					"port %s of the host is used twice in the pod, the second time by container %q; change one of them", host, c.name))
			}
		}
	}
}
