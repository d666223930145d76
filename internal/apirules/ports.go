package apirules

import (
	"fmt"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// ports reports ports and port names that two containers have while both run, because a pod has one network. Within one
// container, Kubernetes allows to repeat a port, but not its name.
func (p *pod) ports() {
	var numbers, named nameSet
	var numberOwners, nameOwners []string // containers, by the index of their port in the set
	for _, c := range p.containers {
		if !c.runs {
			continue
		}
		for i, port := range node.List(c.Node, "ports") {
			number, name := podtemplate.PortKey(port), node.Text(port, "name")
			switch first, taken := numbers.add(number); {
			case !taken:
				numberOwners = append(numberOwners, c.name)
			case numberOwners[first] != c.name:
				p.add(finding.PortConflict, number+" "+c.name, p.path(c, entry("ports", i)), fmt.Sprintf(
					"port %s of container %q is container %q's, too; change one of them", number, c.name, numberOwners[first]))
			}
			if name == "" {
				continue
			}
			if first, taken := named.add(name); taken {
				p.add(finding.PortConflict, name+" "+c.name, p.path(c, entry("ports", i)+".name"), fmt.Sprintf(
					"port name %q of container %q is used by container %q already; rename one of them", name, c.name, nameOwners[first]))
				continue
			}
			nameOwners = append(nameOwners, c.name)
		}
	}
}

// hostPorts reports ports of the host that containers take twice. On the host's network, every containerPort is a port
// of the host, and must be its own hostPort. Init containers run one by one.
func (p *pod) hostPorts() {
	onHost := node.IsTrue(p.Spec(), "hostNetwork")
	var all nameSet
	for _, c := range p.containers {
		taken := &all
		if c.list == "initContainers" {
			taken = &nameSet{}
		}
		for i, port := range node.List(c.Node, "ports") {
			number, host := node.Number(port, "containerPort"), node.Number(port, "hostPort")
			if host == "0" {
				host = ""
			}
			switch {
			case host == "" && !onHost:
				continue
			case host == "":
				host = number
			case onHost && host != number && c.list == "containers":
				p.add(finding.InvalidPod, c.name+" port "+number, p.path(c, entry("ports", i)+".hostPort"), fmt.Sprintf(
					"port %s of container %q has the hostPort %s, which must be the same in a pod with hostNetwork; take it out, or hostNetwork",
					number, c.name, host))
			}
			key := podtemplate.Protocol(port) + "/" + node.Text(port, "hostIP") + "/" + host
			if _, again := taken.add(key); again {
				p.add(finding.PortConflict, c.name+" host "+key, p.path(c, entry("ports", i)+".hostPort"), fmt.Sprintf(
					"port %s of the host is taken by another port of the pod, and container %q wants it, too; change one of them", host, c.name))
			}
		}
	}
}
